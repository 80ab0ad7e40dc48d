"""Names and sentences for the projects that record.sh generates, the same in every run of a text."""
import os
import random

rand = random.Random(os.environ.get("NEEDLES_SEED", ""))

NOUNS = """account address alias archive article asset attachment audit backup badge balance banner barcode basket batch
bill block bonus branch brand bucket budget cache calendar campaign card carrier cart catalog category channel charge
chart checkout claim client clock cluster code comment commit company config contact contract cookie country coupon
course credit currency cursor customer dashboard deal delivery deposit device digest discount dispatch document domain
draft email entry event export feed fee file filter folder form gateway gift grant graph group header history holiday
image import index inventory invoice item journal key label language layout lead lease ledger license limit link list
listing locale location lock login market member merchant message meter metric model module mount name network node
note notice offer office option order owner package page parcel parser partner password patch payment payout peer
permission person photo pipeline plan player policy pool port post price printer product profile project promotion
proxy query queue quota quote range rate receipt record refund region reminder report request reservation resource
response review reward role route rule sale sample schedule schema score script search seat section segment session
shift shipment signal site slot snapshot source stage state statement station status stock store stream subscriber
subscription summary supplier survey table tag target task tax team template tenant term thread ticket token tour
track trade transfer trial unit update upload user vendor version video view visit voucher wallet warehouse webhook
widget window worker zone""".split()
VERBS = """accepts adds applies assigns builds cancels checks clears clones closes collects combines compares copies
counts creates decodes deletes detects drops encodes expands expires exports fetches filters finds flushes formats
groups handles hides ignores imports inserts joins keeps limits links lists loads locks maps marks matches merges moves
normalizes notifies opens orders parses picks prints publishes pulls pushes queues reads rebuilds receives records
reloads removes renames replaces resets resolves restores returns rotates rounds routes saves scales schedules seals
sends sets shows signs skips sorts splits starts stores strips syncs tracks trims truncates unlocks updates validates
verifies waits wraps writes""".split()
TRAITS = """after_restart at_midnight backwards before_commit by_name by_owner case_insensitive concurrent default
deep duplicate empty every_field exact expired fast first for_guest from_cache full huge in_order in_place inactive
inherited large last late leap_year legacy locked long_name many maximal minimal missing mixed negative nested new
none of_parent offline old once one only_admin optional partial past pending plain public quoted random read_only
repeated reverse same_day shared short single slow sorted sparse stale tiny twice two unicode unsorted utf8 valid
when_closed when_open with_comment with_prefix with_spaces without_key zero""".split()


def noun():
    return rand.choice(NOUNS)


def verb():
    return rand.choice(VERBS)


def trait():
    return rand.choice(TRAITS)


def camel(*words):
    return "".join(w[:1].upper() + w[1:] for word in words for w in word.split("_"))


def unique(make, count):
    """The first count different values of make, in the order in which they come."""
    seen = {}
    while len(seen) < count:
        seen[make()] = True
    return list(seen)


def hexa(digits):
    return "%0*x" % (digits, rand.getrandbits(4 * digits))


def uuid():
    return "-".join(hexa(n) for n in (8, 4, 4, 4, 12))
