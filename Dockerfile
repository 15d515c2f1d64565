# syntax=docker/dockerfile:1

# One image for each process: docker build --target rest-adapter|api|worker|admin .
# Node 24: the code is compiled no further down, and nothing older has run it. Pin the digest where you build:
# --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.local/share/pnpm --mount=type=cache,target=/root/.npm npm run build

# The process may write to a volume at /var/lib/tidegate/seals, and to nothing else: a new volume takes its owner from this folder.
# Run it with an init (docker run --init), so that a signal ends it while it starts, too.
FROM ${NODE_IMAGE} AS service
WORKDIR /var/lib/tidegate
RUN install --directory --owner=1000 --group=1000 --mode=700 seals
WORKDIR /app
# Source maps: errors name the TypeScript. Two memory pools of malloc, and a limit of the young generation below: less memory, which is not given back once it has grown.
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps MALLOC_ARENA_MAX=2 HOST=0.0.0.0
USER 1000:1000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((said) => process.exit(said.ok ? 0 : 1), () => process.exit(1))"]

FROM service AS rest-adapter
COPY --from=build /src/packages/rest-adapter/dist .
ENV PORT=8080
EXPOSE 8080
ENTRYPOINT ["node", "--max-semi-space-size=32", "packages/rest-adapter/src/main.js"]

FROM service AS api
COPY --from=build /src/packages/api/dist .
ENV PORT=8081
EXPOSE 8081
ENTRYPOINT ["node", "--max-semi-space-size=32", "packages/api/src/main.js"]

FROM service AS worker
COPY --from=build /src/packages/worker/dist .
ENV PORT=8082
EXPOSE 8082
ENTRYPOINT ["node", "--max-semi-space-size=8", "packages/worker/src/main.js"]

# The operators' command line; "migrate" is the step before a new version starts.
FROM service AS admin
COPY --from=build /src/packages/admin/dist .
HEALTHCHECK NONE
ENTRYPOINT ["node", "packages/admin/src/main.js"]
CMD ["--help"]
