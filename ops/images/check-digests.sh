#!/bin/sh
# Fails if an image of what you deploy is not pinned by its digest: docs/running/build.md#images-by-digest. A tag can be moved to another image; a digest cannot.
#   docker compose config | ops/images/check-digests.sh [--built tidegate/]
#   kubectl kustomize <overlay> | ops/images/check-digests.sh
# --built: images whose names begin so are built on this machine, and are not pulled.
set -eu
built=
[ "${1:-}" != --built ] || built="${2:?names the beginning of the images that are built here}"
# The images of containers, and those that the Dockerfile builds on.
images="$(sed -n 's/^[[:space:]-]*\(image\|[A-Z_]*_IMAGE\):[[:space:]]*"\{0,1\}\([^"[:space:]]*\)"\{0,1\}[[:space:]]*$/\2/p' | sort -u)"
[ -n "$images" ] || { echo 'no image was found: give it manifests, or what docker compose config prints' >&2; exit 1; }
code=0
for image in $images; do
  [ -z "$built" ] || case "$image" in "$built"*) continue ;; esac
  if ! printf '%s\n' "$image" | grep -Eq '@sha256:[0-9a-f]{64}$'; then
    echo "$image has no digest" >&2
    code=1
  fi
done
[ "$code" = 0 ] || echo 'pin these images by digest: docs/running/build.md#images-by-digest' >&2
exit "$code"
