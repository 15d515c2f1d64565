#!/bin/sh
# Verifies a notification of Tidegate with openssl. Reads its headers, an empty line and its body from standard input. Exits with 0 and
# prints the notification, or exits with 1 and prints why it is refused.
#
#     export TIDEGATE_URL=http://127.0.0.1:8080 TIDEGATE_MERCHANT_NO=IN10001
#     sh verify.sh < notification.http
#
# It reads flat objects of texts and numbers, as all notifications are. It stores no nonces, so apply each notification only once.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tab=$(printf '\t')

refuse() {
  printf 'not verified: %s\n' "$*" >&2
  exit 1
}

tr -d '\r' > "$folder/message"
sed '/^$/q' "$folder/message" > "$folder/headers"
sed '1,/^$/d' "$folder/message" > "$folder/body"
header() { awk -v name="$1:" 'tolower($1) == tolower(name) { print $2; exit }' "$folder/headers"; }
timestamp=$(header X-Timestamp)
nonce=$(header X-Nonce)
key_id=$(header X-Key-Id)
[ "$(header X-Merchant-No)" = "$TIDEGATE_MERCHANT_NO" ] || refuse 'X-Merchant-No is not yours'
case $timestamp in '' | *[!0-9]*) refuse 'X-Timestamp is not a number' ;; esac
age=$(($(date +%s) - timestamp))
[ "${age#-}" -le 300 ] || refuse 'X-Timestamp is more than 300 seconds from now'
case $nonce in '' | *[!A-Za-z0-9_-]*) refuse 'X-Nonce has characters other than letters, digits, - and _' ;; esac
# The service has a key for each merchant. What another merchant's key signed is not for you.
case $key_id in "$TIDEGATE_MERCHANT_NO".*) ;; *) refuse 'X-Key-Id does not begin with your merchant number' ;; esac
fingerprint=${key_id#"$TIDEGATE_MERCHANT_NO".}
case $fingerprint in '' | *[!A-Za-z0-9_-]*) refuse 'X-Key-Id is not a key id' ;; esac

# The service's key of that id: modulus and exponent, in hexadecimal, make a public key.
status=$(curl -sS -o "$folder/jwk" -w '%{http_code}' "$TIDEGATE_URL/.well-known/keys/$key_id")
[ "$status" != 404 ] || refuse 'the service publishes no key with this X-Key-Id'
[ "$status" = 200 ] || refuse "the service's key cannot be fetched: it answered $status"
number() {
  text=$(sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/" "$folder/jwk" | tr '_-' '/+')
  while [ $((${#text} % 4)) -ne 0 ]; do text="$text="; done
  printf '%s' "$text" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n'
}
cat > "$folder/key.conf" <<EOF
asn1 = SEQUENCE:key
[key]
algorithm = SEQUENCE:rsa
bits = BITWRAP,SEQUENCE:numbers
[rsa]
oid = OID:rsaEncryption
none = NULL
[numbers]
n = INTEGER:0x$(number n)
e = INTEGER:0x$(number e)
EOF
openssl asn1parse -genconf "$folder/key.conf" -noout -out "$folder/key.der"
openssl pkey -pubin -inform DER -in "$folder/key.der" -out "$folder/key.pem"

# One "name<tab>value" a line: the body's members, one character after the other.
LC_ALL=C awk '
  function fail() { bad = 1; exit 1 }
  function blanks() { while (substr(text, at, 1) ~ /[ \n]/) at++ }
  function string(  out, c) {
    if (substr(text, at, 1) != "\"") fail()
    for (at++; (c = substr(text, at, 1)) != "\""; at++) {
      if (c == "\\") { c = substr(text, ++at, 1); if (c !~ /["\\\/]/) fail() }
      if (c == "" || c == "\t" || c == "\n") fail()
      out = out c
    }
    at++
    return out
  }
  function bare(  from) { from = at; while (substr(text, at, 1) ~ /[-+.0-9a-zA-Z]/) at++; return substr(text, from, at - from) }
  { text = text (NR > 1 ? "\n" : "") $0 }
  END {
    if (bad) exit 1
    at = 1; blanks(); if (substr(text, at++, 1) != "{") fail()
    do {
      blanks(); name = string(); blanks(); if (substr(text, at++, 1) != ":") fail()
      blanks(); value = substr(text, at, 1) == "\"" ? string() : bare()
      if (value != "" && value != "null") print name "\t" value
      blanks(); c = substr(text, at++, 1)
    } while (c == ",")
    if (c != "}") fail()
  }' "$folder/body" > "$folder/fields" || refuse 'this script cannot read the body: use a JSON library'

{
  cat "$folder/fields"
  printf '%s\t%s\n' timestamp "$timestamp" nonce "$nonce"
} | LC_ALL=C sort -t "$tab" -k 1,1 |
  sed -e 's/%/%25/g' -e 's/&/%26/g' -e 's/=/%3D/g' -e "s/$tab/=/" | paste -s -d '&' - | tr -d '\n' > "$folder/content"
header X-Sign | openssl base64 -d -A > "$folder/signature"
openssl dgst -sha256 -verify "$folder/key.pem" -signature "$folder/signature" "$folder/content" > /dev/null 2>&1 ||
  refuse 'X-Sign does not verify'
field() { sed -n "s/^$1$tab//p" "$folder/fields"; }
# Characters 12 to 15 of an order number are made from the merchant number: the first 20 bits of its SHA-256, in base 32.
bits=$((0x$(printf %s "$TIDEGATE_MERCHANT_NO" | openssl dgst -sha256 -r | cut -c 1-5)))
tag=
for shift in 15 10 5 0; do
  tag=$tag$(printf 0123456789ABCDEFGHJKMNPQRSTVWXYZ | cut -c $(((bits >> shift & 31) + 1)))
done
[ "$(field orderNo | cut -c 12-15)" = "$tag" ] || refuse 'orderNo is not one of yours'
printf 'verified: %s %s (%s) is %s, amount %s\n' "$(field orderType)" "$(field orderNo)" "$(field merchantOrderNo)" "$(field status)" "$(field amount)"
