#!/usr/bin/env bash
# Drives the whole flow with curl against a fresh `kyc serve`: documents, forms, review, screening,
# reads, lists, renewal, in both generations. Needs bash, curl and a built `kyc`.
#
#     cargo build && examples/walkthrough.sh [KYC]
#
# KYC is the program; unless it is named, the one in target/debug or else in target/release. With
# KYC_LISTS_DIR set, real lists are imported and a person on one of them is found; otherwise an
# invented person on the built-in sample list.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../target}
kyc=${1:-$target/debug/kyc}
if [ $# = 0 ] && [ ! -x "$kyc" ]; then kyc=$target/release/kyc; fi
if ! command -v "$kyc" > /dev/null; then
    echo "there is no program $kyc: run \`cargo build\` first, or name it: $0 KYC" >&2
    exit 1
fi
specimens=$here/specimens

work=$(mktemp -d)
server=
stop() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap stop EXIT

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

say "start a fresh service"
"$kyc" serve --data "$work/data" --listen 127.0.0.1:0 --ready-file "$work/ready.json" \
    2> "$work/log" &
server=$!
for _ in $(seq 600); do
    [ -s "$work/ready.json" ] && break
    kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; fail "the service ended"; }
    sleep 0.05
done
# The ready file is one flat JSON object of texts.
ready() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$work/ready.json"; }
url=$(ready url)
key=$(ready api_key)
token=$(ready inspector_token)
ca=$(ready ca_file)
[ -n "$key" ] && [ -n "$token" ] || fail "the first run tells key and token"

client() { curl --silent --show-error --cacert "$ca" -H "x-api-key: $key" "$@"; }
inspector() { curl --silent --show-error --cacert "$ca" -H "authorization: Bearer $token" "$@"; }
# The first value of a name in a JSON text.
value() { grep -o "\"$1\":\(\"[^\"]*\"\|[0-9]*\)" | head -n 1 | cut -d : -f 2- | tr -d '"'; }
expect() {
    case "$2" in *"$1"*) ;; *) fail "expected $1 in: $2" ;; esac
    printf '   %s\n' "$1"
}

upload() { # generation, type, file
    client -F "type=$2" -F "file=@$specimens/$3" "$url/$1/submissions/upload"
}

say "upload real documents: JPEG, PNG, PDF"
passport=$(upload v2 passport passport.jpg | value filehash)
selfie=$(upload v2 selfie selfie.png | value filehash)
address=$(upload v2 address address.pdf | value filehash)
licence=$(upload f1 drivers_license licence.png | value filehash)
encoded=$(base64 < "$specimens/selfie.png" | client -F type=selfie \
    -F "file=@-;filename=selfie.txt" "$url/f1/submissions/upload")
expect '"fileFormat":"image/png"' "$encoded"
refused=$(printf 'GIF89a' | client -F type=selfie -F "file=@-;filename=a.png" \
    "$url/v2/submissions/upload")
expect '"message":"The file has to be a jpeg, png or pdf"' "$refused"

say "a form with faults is refused whole, all faults at once"
faults=$(client -d email=mira@example.org -d gender=unknown "$url/v2/submissions")
expect '"message":"Required field values are not provided"' "$faults"
expect '"name":"photoid_res"' "$faults"
expect '"name":"gender"' "$faults"

say "submit, level 2"
submitted=$(client "$url/v2/submissions" \
    --data-urlencode "email=mira@example.org" \
    --data-urlencode "first_name=Mira" --data-urlencode "last_name=Kole" \
    --data-urlencode "nationality=Albania, ALB" --data-urlencode "date_of_birth=1990-05-17" \
    --data-urlencode "gender=female" --data-urlencode "id_type=passport" \
    --data-urlencode "kyc_level=L2" \
    --data-urlencode "address_street=12 Harbour Lane" --data-urlencode "address_city=Durres" \
    --data-urlencode "address_state=Durres" --data-urlencode "address_zipcode=2001" \
    --data-urlencode "address_country=Albania, ALB" \
    --data-urlencode "photoid_res=$passport" --data-urlencode "selfie_res=$selfie" \
    --data-urlencode "address_res=$address")
id=$(value id <<< "$submitted")
expect '"kyc_level":"L2"' "$submitted"
expect '"status":"pending"' "$(client "$url/v2/submissions/mira@example.org")"

say "an inspector looks at the queue, a document, and asks for the selfie again"
expect "$id" "$(inspector "$url/review/v1/submissions?status=pending")"
inspector "$url/review/v1/submissions/$id/documents/photoid_res" > "$work/seen.jpg"
cmp "$work/seen.jpg" "$specimens/passport.jpg" || fail "the document is not what was uploaded"
decide() { # id, decision, JSON members
    local version
    version=$(inspector "$url/review/v1/submissions/$1" | value version)
    inspector -H "content-type: application/json" -d "{\"version\":$version,$3}" \
        "$url/review/v1/submissions/$1/$2"
}
expect '"status":"incomplete"' "$(decide "$id" retake '"documents":["selfie_res"]')"
expect '"d2":false' "$(client "$url/v2/submissions/mira@example.org/$id")"
again=$(upload v2 selfie selfie.png | value filehash)
client --data-urlencode "selfie_res=$again" \
    "$url/v2/submissions/mira@example.org/$id/documents" > /dev/null
expect '"status":"pending"' "$(client "$url/v2/submissions/mira@example.org/$id")"

say "a stale decision is refused, a current one approves"
stale=$(inspector -H "content-type: application/json" \
    -d '{"version":1,"comment":"too late"}' "$url/review/v1/submissions/$id/reject")
expect '"errorCode":"conflict"' "$stale"
approval='"id_expired_date":"2031-01-01","address_issued_date":"2026-11-01"'
expect '"status":"approved"' "$(decide "$id" approve "$approval")"

await_log() {
    for _ in $(seq 600); do
        if grep -q -e "$1" "$work/log"; then return; fi
        sleep 0.05
    done
    fail "the log does not say $1"
}
await_score() { # path
    local status
    for _ in $(seq 200); do
        status=$(client "$url$1")
        case "$status" in *'"score":"-"'*) sleep 0.05 ;; *) printf '%s' "$status"; return ;; esac
    done
    fail "no AML result: $status"
}

if [ -n "${KYC_LISTS_DIR:-}" ]; then
    say "import the real UN and OFAC lists beside the running service"
    "$kyc" list import --data "$work/data" "$KYC_LISTS_DIR"/un-*/UN_consolidated.xml \
        "$KYC_LISTS_DIR/ofac-sdn-2021-07/sdn.csv"
    # Within a second or two the service has taken them; a listed name shows that it has.
    await_log '"list":"OFAC-SDN"'
    listed=$(grep -m 1 -o '^[0-9]*,"[^"]*","individual"' \
        "$KYC_LISTS_DIR/ofac-sdn-2021-07/sdn.csv" | cut -d '"' -f 2)
else
    echo "KYC_LISTS_DIR is not set: the sample list of invented people is used" >&2
    listed=$("$kyc" list status --data "$work/data" --json | grep -o SAMPLE | head -n 1)
    [ "$listed" = SAMPLE ] || fail "the sample list is marked"
    listed="Vexley, Tormund"
fi

say "the approved applicant is screened"
screened=$(await_score "/v2/submissions/mira@example.org")
expect '"address_expired_date":"2027-02-01"' "$screened"
expect '"score":"n/a"' "$screened"

say "an AML-only submission of a listed person is found"
family=${listed%%,*}
given=${listed#*, }
client "$url/v2/amlonly" -d email=listed@example.org \
    --data-urlencode "first_name=$given" --data-urlencode "last_name=$family" \
    --data-urlencode "nationality=Norway, NOR" -d date_of_birth=1968-04-17 \
    -d gender=male > "$work/amlonly.json"
found=$(await_score "/v2/submissions/listed@example.org")
case "$found" in *'"score":"n/a"'*) fail "the listed person was not found" ;; esac
[ -n "${KYC_LISTS_DIR:-}" ] || expect '"score":"high"' "$found"
expect '"source":"amlonly"' "$found"

if [ -z "${KYC_LISTS_DIR:-}" ]; then
    say "an inspector clears the hit, which then counts nothing, also when the result is renewed"
    declared=$(value id < "$work/amlonly.json")
    expect "$declared" "$(inspector "$url/review/v1/submissions?hits=open")"
    cleared='"list":"SAMPLE","entity":"S-01","verdict":"false_positive","note":"Another person."'
    expect '"standing":"cleared"' "$(decide "$declared" hits "$cleared")"
    expect '"score":"n/a"' "$(client "$url/v2/submissions/listed@example.org")"
    expect '"items":[]' "$(inspector "$url/review/v1/submissions?hits=open")"
    client -X POST "$url/v2/submissions/renewaml/listed@example.org/$declared" > /dev/null
    expect '"score":"n/a"' "$(await_score "/v2/submissions/listed@example.org")"
fi

say "renew the AML result"
renewed=$(client -X POST "$url/v2/submissions/renewaml/mira@example.org/$id")
expect '"email":"mira@example.org"' "$renewed"
[ "$(value id <<< "$renewed")" != "$id" ] || fail "a renewal has an id of its own"

say "the second generation: a form joined by hand, unescaped"
joined="email=tarik@example.org&first_name=Tarik&last_name=Haddad&nationality=South Korea, KOR"
joined="$joined&date_of_birth=1985-02-03&gender=Male&id_type=drivers_license&kyc_level=L1"
joined="$joined&photoid_res=$licence&selfie_res=$(value filehash <<< "$encoded")&cf1=blue"
expect '"cf1":"blue"' "$(client -d "$joined" "$url/f1/submissions")"
expect '"result":"pending"' "$(client "$url/f1/submissions?email=tarik@example.org")"
expect '"Items":[]' "$(client "$url/f1/submissions?email=nobody@example.org")"

say "lists of both generations"
expect '"nextpageKey":{"email":"NA","id":"NA"}' "$(client "$url/v2/submissions/resultall")"
expect '"submit_date"' "$(client "$url/f1/submissions")"

say "anybody learns that it is ready"
expect '"alive":true' "$(curl --silent --cacert "$ca" "$url/healthz")"
expect '"ready":true' "$(curl --silent --cacert "$ca" "$url/readyz")"

say "a wrong key learns nothing, plain HTTP is refused"
expect '"message":"Forbidden"' "$(curl --silent --cacert "$ca" -H "x-api-key: wrong" \
    "$url/v2/submissions/resultall")"
expect 'HTTPS' "$(curl --silent "${url/https:/http:}/v2/submissions/resultall" || true)"

say "a revoked key stops working within a second, in the running service"
second=$("$kyc" key create --data "$work/data" --client default)
expect '"data"' "$(curl --silent --cacert "$ca" -H "x-api-key: $second" "$url/v2/submissions/resultall")"
key_id=${second#kyc_}
"$kyc" key revoke --data "$work/data" "${key_id%%_*}"
sleep 1
expect '"message":"Forbidden"' "$(curl --silent --cacert "$ca" -H "x-api-key: $second" \
    "$url/v2/submissions/resultall")"

say "no secret in the log"
if grep -q -e "$key" -e "$token" -e mira@example.org "$work/log"; then
    fail "the log has a secret or a personal value"
fi
printf '\nthe whole flow works\n'
