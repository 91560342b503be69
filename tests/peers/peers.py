"""Drives every operation that the SDK has for the twelve families. Reads the deployment from the environment variable
PEER_READY (the line that `serve` prints), prints findings on stderr and one JSON line of counts on stdout."""

import json
import os
import sys

from ciscoisesdk import IdentityServicesEngineAPI
from ciscoisesdk.exceptions import ApiError

from anc import AncFamily
from families import ANC, READ_ONLY, WRITABLE
from ledger import Ledger, Mismatch, holds, refused, same
from writable import WritableFamily, ids_of, total_of

READ_ROOTS = {"portal": "ERSPortal", "telemetryinfo": "TelemetryInfo", "node": "Node"}


def connect(ready, csrf, **other):
    login = {"username": ready["username"], "password": ready["password"], **other}
    return IdentityServicesEngineAPI(
        **login,
        base_url=ready["baseUrl"],
        uses_api_gateway=True,
        uses_csrf_token=csrf,
        version="3.1.1",
        verify=False,
        wait_on_rate_limit=False,
    )


def version_info(ledger, family, client):
    def read():
        info = client.get_version().response["VersionInfo"]
        for member in ("currentServerVersion", "supportedVersions"):
            holds(f"{member} is {info[member]!r}", isinstance(info[member], str) and info[member] != "")
        holds("link", info["link"]["href"].endswith(f"/{family}/versioninfo"))

    ledger.check(family, "get_version", "version information has its members", read)


def read_only(ledger, family, client):
    """Lists, pages and reads of a family without writes; the deployment has seeded its records."""

    def listing():
        answer = client.get_all(size=100)
        ids = ids_of(answer)
        holds("an empty list", len(ids) > 1)
        same("total", total_of(answer), len(ids))
        return ids

    def paging(ids):
        pages = [ids_of(page) for page in client.get_all_generator(size=1, page=1)]
        same("records over all pages", sorted(i for page in pages for i in page), sorted(ids))
        holds("a page without a record", all(len(page) == 1 for page in pages))

    def single(ids):
        for record_id in ids:
            same("id", client.get_by_id(record_id).response[READ_ROOTS[family]]["id"], record_id)
        refused("an unknown id", lambda: client.get_by_id("00000000-0000-4000-8000-000000000000"), 404)

    ids = ledger.check(family, "get_all", "the list holds every record", listing) or []
    ledger.check(family, "get_all_generator", "pages of one lead through all records", lambda: paging(ids))
    if family in READ_ROOTS:
        ledger.check(family, "get_by_id", "every listed id is readable", lambda: single(ids))


def long_generator(ledger, family, client):
    """The generator under its long name pages like the short one."""
    name = next(n for n in dir(client) if n.endswith("_generator") and n != "get_all_generator")

    def compare():
        pages = [ids_of(page) for page in getattr(client, name)(size=50, page=1)]
        same("pages", pages, [ids_of(page) for page in client.get_all_generator(size=50, page=1)])

    ledger.check(family, "get_all_generator", "both generators lead through the same pages", compare)


def special_reads(ledger, api):
    def node_by_name():
        for item in api.node_details.get_all().response["SearchResult"]["resources"]:
            by_name = api.node_details.get_by_name(item["name"]).response["Node"]
            same("node by name", by_name, api.node_details.get_by_id(item["id"]).response["Node"])

    def telemetry_filter():
        first = ids_of(api.telemetry_information.get_all())[0]
        record = api.telemetry_information.get_by_id(first).response["TelemetryInfo"]
        found = api.telemetry_information.get_all(filter=[f"deploymentId.EQ.{record['deploymentId']}"])
        holds("not found by its deploymentId", first in ids_of(found))

    def sms_filter():
        item = api.sms_provider.get_all().response["SearchResult"]["resources"][0]
        same("found by name", ids_of(api.sms_provider.get_all(filter=[f"name.EQ.{item['name']}"])), [item["id"]])

    def view(made):
        for kind, record_id in made.items():
            found = api.portal.get_all(filter=[f"name.EQ.peers_view_{kind}"]).response["SearchResult"]["resources"]
            same(f"portals in the view for {kind}", [item["id"] for item in found], [record_id])
            same("name", api.portal.get_by_id(record_id).response["ERSPortal"]["name"], f"peers_view_{kind}")

    ledger.check("node", "get_by_name", "a node is the same by name and by id", node_by_name)
    ledger.check("telemetryinfo", "get_all", "the filter on deploymentId selects", telemetry_filter)
    ledger.check("smsprovider", "get_all", "the filter on name selects", sms_filter)
    kinds = {"HOTSPOTGUEST": api.hotspot_portal, "MYDEVICE": api.my_device_portal, "BYOD": api.byod_portal}
    made = {
        kind: client.create(name=f"peers_view_{kind}", portal_type=kind).headers["Location"].split("/")[-1]
        for kind, client in kinds.items()
    }
    ledger.check("portal", "get_by_id", "the generic view shows portals of all kinds", lambda: view(made))
    for kind, record_id in made.items():
        kinds[kind].delete_by_id(record_id)


def errors_and_conventions(ledger, api, ready, csrf):
    def xml_create():
        body = (
            '<?xml version="1.0" encoding="UTF-8"?><ns0:sgt xmlns:ns0="trustsec.ers.ise.cisco.com" '
            'name="peers_xml" description="&lt;ü&gt;"><value>61555</value></ns0:sgt>'
        )
        other = connect(ready, csrf)
        answer = other.security_groups.create(payload=body, headers={"Content-Type": "application/xml; charset=utf-8"})
        made = answer.headers["Location"].split("/")[-1]
        record = api.security_groups.get_by_id(made).response["Sgt"]
        api.security_groups.delete_by_id(made)
        same("record", [record["name"], record["description"], record["value"]], ["peers_xml", "<ü>", 61555])

    def without_token():
        bare = connect(ready, False)
        refused("a write without a token", lambda: bare.security_groups.create(name="peers_no", value=61556), 403)
        same("records made", ids_of(api.security_groups.get_all(filter=["name.EQ.peers_no"])), [])

    groups = api.security_groups
    ledger.check("sgt", "create", "an XML body is read", xml_create)
    ledger.check("sgt", "create", "value -1 is generated", lambda: generated(groups))
    ledger.check("sgt", "create", "a value outside the range is refused with its field",
                 lambda: refused("value 1", lambda: groups.create(name="peers_bad", value=1), 400, "value"))
    ledger.check("sgt", "get_all", "an unknown operator is refused",
                 lambda: refused("EQUALS", lambda: groups.get_all(filter=["name.EQUALS.a"]), 400))
    ledger.check("sgt", "get_all", "an extra parameter changes nothing",
                 lambda: same("lists", ids_of(groups.get_all(peers="1")), ids_of(groups.get_all())))
    if csrf:
        ledger.check("sgt", "create", "a write without a CSRF token is refused", without_token)


def generated(groups):
    made = groups.create(name="peers_auto", value=-1).headers["Location"].split("/")[-1]
    value = groups.get_by_id(made).response["Sgt"]["value"]
    groups.delete_by_id(made)
    holds(f"generated value is {value!r}", isinstance(value, int) and 2 <= value <= 65519)


def main():
    ready = json.loads(os.environ["PEER_READY"])
    csrf = os.environ.get("PEER_CSRF") == "1"
    ledger = Ledger("csrf" if csrf else "plain")
    api = connect(ready, csrf)
    wrappers = {**{name: spec["api"] for name, spec in WRITABLE.items()}, **READ_ONLY, "ancendpoint": ANC}
    known = set()
    for family, wrapper in wrappers.items():
        known |= ledger.trace(family, getattr(api, wrapper))
    for family, wrapper in wrappers.items():
        version_info(ledger, family, getattr(api, wrapper))
        long_generator(ledger, family, getattr(api, wrapper))
    for family, wrapper in READ_ONLY.items():
        read_only(ledger, family, getattr(api, wrapper))
    special_reads(ledger, api)
    for family in WRITABLE:
        WritableFamily(ledger, api, family, f"peers_{family}_").run()
    AncFamily(ledger, api, ready).run()
    errors_and_conventions(ledger, api, ready, csrf)
    print(json.dumps(ledger.summary(known)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ApiError, Mismatch) as fault:
        print(f"FAILED outside a check: {fault}", file=sys.stderr)
        sys.exit(1)
