#!/bin/sh
# Signs a request to Tidegate with openssl, and sends it with curl. Fields are given as name=value; a dot leads into an object.
#
#     export TIDEGATE_URL=http://127.0.0.1:8080 TIDEGATE_MERCHANT_NO=TH10001 TIDEGATE_PRIVATE_KEY_FILE=merchant-private.pem
#     sh sign.sh POST payin/create merchantOrderNo=M-1 amount=100.00 bankCode=QR extJson.accountNo=1234567890
#     sh sign.sh GET  payin/query  merchantOrderNo=M-1
#     sh sign.sh GET  wallet
#
# Values are texts without tabs and line breaks, and objects are one level deep: enough for every operation. Without
# TIDEGATE_URL nothing is sent: X-Sign and, below it, the text that was signed are printed.
set -eu
method=$1
path=$2
shift 2
timestamp=${TIDEGATE_TIMESTAMP:-$(date +%s)}
nonce=${TIDEGATE_NONCE:-$(openssl rand -hex 16)}
tab=$(printf '\t')

# One "path<tab>value" a line, empty values left out, sorted by the path's bytes.
sorted() {
  printf '%s\n' "$@" | grep -v '^[^=]*=$' | sed "s/=/$tab/" | LC_ALL=C sort -t "$tab" -k 1,1
}

content=$(sorted "$@" "timestamp=$timestamp" "nonce=$nonce" |
  sed -e 's/%/%25/g' -e 's/&/%26/g' -e 's/=/%3D/g' -e "s/$tab/=/" | paste -s -d '&' -)
signature=$(printf '%s' "$content" | openssl dgst -sha256 -sign "$TIDEGATE_PRIVATE_KEY_FILE" | openssl base64 -A)

if [ -z "${TIDEGATE_URL:-}" ]; then
  printf '%s\n%s' "$signature" "$content"
  exit
fi

send() {
  curl -sS "$@" -H "X-Merchant-No: $TIDEGATE_MERCHANT_NO" -H "X-Timestamp: $timestamp" -H "X-Nonce: $nonce" -H "X-Sign: $signature"
}

url=$TIDEGATE_URL/api/v1/merchant/$path
if [ "$method" = GET ]; then
  for pair in "$@"; do
    set -- "$@" --data-urlencode "$pair"
    shift
  done
  send -G "$url" "$@"
else
  # The members of an object follow each other, since they are sorted.
  body=$(sorted "$@" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' | awk -F "$tab" '
    {
      name = $1; object = ""; dot = index(name, ".")
      if (dot) { object = substr(name, 1, dot - 1); name = substr(name, dot + 1) }
      if (open != "" && object != open) printf "}"
      if (NR > 1) printf ","
      if (object != "" && object != open) printf "\"%s\":{", object
      printf "\"%s\":\"%s\"", name, $2
      open = object
    }
    END { if (open != "") printf "}" }')
  send -X POST "$url" -H 'Content-Type: application/json' --data-binary "{$body}"
fi
echo
