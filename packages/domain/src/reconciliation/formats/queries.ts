const columns = `p.name, p.version, p.profile, p.created_by as "createdBy", p.approved_by as "approvedBy", (extract(epoch from p.created_at) * 1000)::float8 as "createdAt"`;

/** The newest version of each profile. $1: how many. */
export const newestProfilesSql = `select distinct on (p.name) ${columns} from csv_profile p order by p.name, p.version desc limit $1`;

/** The version $2 of the profile $1; null: its newest one. */
export const profileSql = `select ${columns} from csv_profile p
  where p.name = $1 and ($2::integer is null or p.version = $2) order by p.version desc limit 1`;

/** All versions of the profile $1, the newest first. */
export const versionsSql = `select ${columns} from csv_profile p where p.name = $1 order by p.version desc limit 1000`;

export const countProfilesSql = 'select count(distinct name)::integer as count from csv_profile';

export const addProfileSql = `insert into csv_profile as p (name, version, profile, created_by, approved_by) values ($1, $2, $3, $4, $5) returning ${columns}`;
