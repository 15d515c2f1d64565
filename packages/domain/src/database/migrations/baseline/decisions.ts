import { appendOnly, countedByWallet, neverDeleted, ofNextBatch, unchangeable } from './rules.ts';

/** Records of what people decided, what waits for a second person, and what they wrote about it. */
export const decisions = `
create table audit_record (
  merchant_id text references merchant,
  audit_no bigint,
  actor text not null,
  approver text,
  action text not null,
  subject text not null,
  reason text not null check (reason <> ''),
  detail text not null,
  at timestamptz(3) not null,
  batch_no bigint not null,
  command_id uuid,
  primary key (merchant_id, audit_no),
  constraint audit_record_check check (approver <> actor)
);
-- Few rows: they cost nothing.
create index audit_record_at on audit_record (at);
create index audit_record_subject on audit_record (merchant_id, subject);
create unique index audit_record_by_command on audit_record (merchant_id, command_id) where command_id is not null;

create function is_configuration_change(action text) returns boolean language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select action = any (array['createMerchant', 'setMerchant', 'setMerchantStatus', 'pauseNotifications', 'resumeNotifications',
    'addMerchantKey', 'retireMerchantKey', 'rotateServiceKey',
    'setFeeRule', 'removeFeeRule', 'setRoute', 'removeRoute', 'setChannel', 'setChannelEnabled', 'mapBank',
    'createFirstOperator', 'createOperator', 'createOperatorOfIdentity', 'changeOperator', 'setOperatorEnabled',
    'inviteOperator', 'redeemInvitation', 'revokeOperatorTokens', 'linkIdentity', 'unlinkIdentity', 'changeSecret',
    'setSettlementCycle', 'removeSettlementCycle', 'withdrawDeclaration', 'setCsvProfile'])
$$;

-- With the rights of the owner: a version that a role wrote itself could leave no next number.
create function number_configuration_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  latest bigint;
begin
  select max(version_no) into latest from public.configuration_version where merchant_id = new.merchant_id;
  if latest is null then
    insert into public.configuration_version (merchant_id, version_no, audit_no)
      select new.merchant_id, row_number() over (order by audit_no), audit_no from public.audit_record
      where merchant_id = new.merchant_id and is_configuration_change(action)
      on conflict do nothing;
  else
    insert into public.configuration_version (merchant_id, version_no, audit_no) values (new.merchant_id, latest + 1, new.audit_no);
  end if;
  return null;
end $$;
create trigger configuration_versioned after insert on audit_record for each row
  when (is_configuration_change(new.action))
  execute function number_configuration_change();

${ofNextBatch('audit', 'audit_record')}
${countedByWallet('audit', 'audit_record')}

create function keep_funds_reference() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  typed pg_catalog.text := new.detail::pg_catalog.jsonb->>'reference';
begin
  -- Confirmed with it before there was this rule: said once more.
  if exists (select from public.payment p where p.merchant_id = new.merchant_id and p.order_no = new.subject
      and p.received_at < new.at and plain_reference(p.reference) = plain_reference(typed)) then
    return new;
  end if;
  perform take_reference(o.country, typed, o.merchant_id, o.order_no) from public.orders o
    where o.merchant_id = new.merchant_id and o.order_no = new.subject;
  if not found then raise exception 'funds are confirmed for order %, which is not there', new.subject; end if;
  return new;
end $$;
create trigger funds_reference_once before insert on audit_record for each row
  when (new.action = 'confirmFunds')
  execute function keep_funds_reference();

-- A reference belongs to whoever had the task: the record of anyone else takes none.
create function keep_late_proof_reference() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform take_reference(o.country, new.detail::jsonb->'proof'->>'reference', o.merchant_id, o.order_no) from orders o
    where o.merchant_id = new.merchant_id and o.order_no = new.subject and o.mode = 'market' and exists (
      select from order_transition t where t.merchant_id = o.merchant_id and t.order_no = o.order_no and t.trigger = 'task_claimed'
        and t.actor = 'operator:' || new.actor);
  return new;
end $$;
create trigger late_proof_reference_once before insert on audit_record for each row
  when (new.action = 'proveTask')
  execute function keep_late_proof_reference();

create function refuse_record_of_worker() returns trigger language plpgsql as $$
begin
  raise exception 'the worker never records %', new.action using errcode = 'insufficient_privilege';
end $$;
create trigger recorded_by_its_process before insert on audit_record for each row
  when (current_user in ('tidegate_worker', 'tidegate_worker_ledger')
    and new.action not in ('draftSettlement', 'proveSettlement', 'confirmSettlement', 'failSettlement'))
  execute function refuse_record_of_worker();
${appendOnly('audit_record')}

create table configuration_version (
  merchant_id text,
  version_no bigint check (version_no > 0),
  audit_no bigint not null,
  primary key (merchant_id, version_no),
  unique (merchant_id, audit_no)
);
${appendOnly('configuration_version')}

create table approval (
  -- Of a merchant, or of the tenant PLATFORM for what concerns all of them.
  merchant_id text references merchant,
  approval_id text,
  operation text not null,
  subject text not null,
  input jsonb not null,
  asked_by text not null,
  reason text not null check (reason <> ''),
  asked_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- One that is pending when its time is over counts as expired.
  state text not null default 'pending',
  decided_by text,
  decided_at timestamptz(3),
  outcome text,
  -- Secrets of the input, sealed; gone once it is decided.
  secrets bytea,
  -- Of configuration only. 'new': it did not exist. Null: it is not checked.
  expected_version text,
  -- Null: requested before effects were kept, so it is not compared.
  effect text,
  effect_now text,
  -- Besides its subject.
  also_subjects text[] not null default '{}'::text[],
  primary key (merchant_id, approval_id),
  constraint approval_check check (expires_at > asked_at),
  constraint approval_check2 check ((state = 'pending') = (decided_at is null)),
  constraint approval_check3 check ((state = 'pending') = (decided_by is null)),
  constraint approval_decider check (decided_by is null or (decided_by = asked_by) = (state = 'withdrawn')),
  constraint approval_state check (state in ('pending', 'executed', 'rejected', 'failed', 'withdrawn'))
);
create index approval_by_id on approval (approval_id);
create index approval_pending on approval (asked_at) where state = 'pending';
create index approval_at on approval (asked_at);

-- What was asked for never changes, and what was decided stays decided. Once it is over its secrets may go.
create function refuse_second_decision() returns trigger language plpgsql as $$
begin
  if new.secrets is null and (old.state <> 'pending' or old.expires_at <= clock_timestamp())
    and to_jsonb(new) - 'secrets' = to_jsonb(old) - 'secrets' then
    return new;
  end if;
  -- The owner seals the secrets of a request again, with another key.
  if new.secrets is not null and old.secrets is not null and to_jsonb(new) - 'secrets' = to_jsonb(old) - 'secrets'
    and pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'usage') then
    return new;
  end if;
  if old.state <> 'pending' or new.state = 'pending'
    or (new.operation, new.subject, new.also_subjects, new.input, new.asked_by, new.reason, new.asked_at, new.expires_at, new.expected_version, new.effect)
      is distinct from (old.operation, old.subject, old.also_subjects, old.input, old.asked_by, old.reason, old.asked_at, old.expires_at, old.expected_version, old.effect) then
    raise exception 'approval %: it is decided once, and never changed', old.approval_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger decided_once before update on approval for each row execute function refuse_second_decision();
${neverDeleted('approval')}

create table assignment (
  merchant_id text references merchant,
  subject text check (length(subject) >= 1 and length(subject) <= 128),
  assignee text not null,
  assigned_by text not null,
  assigned_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, subject)
);
create index assignment_of on assignment (assignee, merchant_id, subject);

create table note (
  merchant_id text references merchant,
  subject text check (length(subject) >= 1 and length(subject) <= 128),
  -- 1, 2, 3 … of the subject.
  note_no integer check (note_no > 0),
  author text not null,
  text text not null check (length(text) >= 1 and length(text) <= 2000),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, subject, note_no)
);
${appendOnly('note')}

-- Each content of a merchant once. It is in a table of its own, so that lists of files read none of it.
create table file_content (
  merchant_id text references merchant,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  content bytea not null check (length(content) >= 1 and length(content) <= 2097152),
  -- now() is the same for all rows, so they are not rewritten.
  stored_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, sha256),
  constraint file_content_hash_check check (sha256 = encode(sha256(content), 'hex'))
);
alter table file_content alter column content set storage external;
create index file_content_stored on file_content (stored_at);
${unchangeable('file_content', { truncate: true })}

create table attached_file (
  merchant_id text references merchant,
  subject text check (length(subject) >= 1 and length(subject) <= 128),
  file_no integer check (file_no > 0),
  sha256 text not null,
  name text not null check (length(name) >= 1 and length(name) <= 100),
  media_type text not null check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
  size integer not null check (size >= 1 and size <= 2097152),
  uploaded_by text not null,
  uploaded_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, subject, file_no),
  unique (merchant_id, subject, sha256),
  foreign key (merchant_id, sha256) references file_content(merchant_id, sha256)
);
create index attached_file_content on attached_file (merchant_id, sha256);
create index attached_file_of_operator on attached_file (uploaded_by, uploaded_at);
create index attached_file_of_booking on attached_file (uploaded_at) where subject like 'booking %';

-- Evidence is never deleted. A content is held by the foreign key of its files.
create function refuse_delete_of_file() returns trigger language plpgsql as $$
begin
  if old.subject not like 'booking %' or old.uploaded_at > clock_timestamp() - interval '1 day'
    or exists (select from public.wallet_entry where merchant_id = old.merchant_id and booking_no = substr(old.subject, length('booking ') + 1)) then
    raise exception 'attached_file is append-only: DELETE refused' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger no_delete before delete on attached_file for each row execute function refuse_delete_of_file();
${unchangeable('attached_file', { truncate: true })}
`;
