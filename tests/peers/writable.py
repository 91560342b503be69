"""Create, read, update, delete, list, page and bulk of one writable family."""

import time
import uuid

from families import WRITABLE, on_wire
from ledger import holds, refused, same

RECORDS = 5


def ids_of(response):
    return [item["id"] for item in response.response["SearchResult"]["resources"]]


def total_of(response):
    return response.response["SearchResult"]["total"]


def covers(record, sent):
    """The record holds everything that was sent, inner members included."""
    for name, value in sent.items():
        holds(f"{name} is missing", name in record)
        if isinstance(value, dict):
            covers(record[name], value)
        elif isinstance(value, list):
            same(f"length of {name}", len(record[name]), len(value))
            for held, item in zip(record[name], value):
                covers(held, item) if isinstance(item, dict) else same(name, held, item)
        else:
            same(name, record[name], value)


class WritableFamily:
    def __init__(self, ledger, api, family, prefix):
        self.ledger, self.family, self.prefix = ledger, family, prefix
        self.spec = WRITABLE[family]
        self.client = getattr(api, self.spec["api"])
        self.sent = {}

    def check(self, operation, title, call):
        return self.ledger.check(self.family, operation, title, call)

    def create(self, n, **extra):
        arguments = {**self.spec["record"](f"{self.prefix}{n}", n), **extra}
        answer = self.client.create(**arguments)
        same("status of create", answer.status_code, 201)
        same("body of create", answer.text, "")
        new_id = answer.headers["Location"].split("/")[-1]
        holds("no id in Location", len(new_id) > 8)
        self.sent[new_id] = on_wire(arguments)
        return new_id

    def read_back(self, record_id):
        answer = self.client.get_by_id(record_id)
        holds("content type is not JSON", "application/json" in answer.headers["Content-Type"])
        record = answer.response[self.spec["root"]]
        same("id", record["id"], record_id)
        holds("link to itself", record["link"]["href"].endswith(record_id))
        covers(record, self.sent[record_id])

    def update(self, record_id):
        changes = self.spec["update"]
        name = self.sent[record_id]["name"]
        required = {"sgt_id": f"{name}-sgt"} if self.family == "sgtvnvlan" else {}
        answer = self.client.update_by_id(record_id, name=name, **required, **changes)
        fields = answer.response["UpdatedFieldsList"]["updatedField"]
        changed = {field["field"]: field for field in fields}
        wanted = on_wire(changes)
        holds(f"description not among {sorted(changed)}", "description" in changed)
        same("old value", changed["description"]["oldValue"], self.sent[record_id]["description"])
        same("new value", changed["description"]["newValue"], "changed")
        self.sent[record_id] = {**{k: v for k, v in self.sent[record_id].items() if k == "name"}, **wanted}
        self.read_back(record_id)

    def own(self, **query):
        """All own records through the client's own paging."""
        found, pages = [], 0
        filters = query.pop("filter", [f"name.STARTSW.{self.prefix}"])
        for page in self.client.get_all_generator(filter=filters, **query):
            pages += 1
            found += ids_of(page)
        return found, pages

    def lists(self, ids):
        listed = self.client.get_all(filter=[self.filter_all()], size=100)
        same("own records", sorted(ids_of(listed)), sorted(ids))
        same("total", total_of(listed), len(ids))
        holds("a next page of a list that fits", "nextPage" not in listed.response["SearchResult"])

    def filter_all(self):
        return f"{'sgtId' if self.family == 'sgtvnvlan' else 'name'}.STARTSW.{self.prefix}"

    def filters(self, ids):
        field = "sgtId" if self.family == "sgtvnvlan" else "name"
        suffix = "-sgt" if field == "sgtId" else ""
        value = [f"{self.prefix}{n}{suffix}" for n in range(RECORDS)]
        scope = self.filter_all()
        query = lambda *filters, **more: sorted(ids_of(self.client.get_all(filter=list(filters), size=100, **more)))
        same("EQ", query(f"{field}.EQ.{value[1]}"), [ids[1]])
        same("EQ of a beginning", query(f"{field}.EQ.{self.prefix}"), [])
        same("STARTSW of a middle", query(scope, f"{field}.STARTSW.{value[2][2:]}"), [])
        same("ENDSW of a beginning", query(scope, f"{field}.ENDSW.{self.prefix}"), [])
        same("NCONTAINS of an end", query(scope, f"{field}.NCONTAINS.{value[2][2:]}"), sorted(i for i in ids if i != ids[2]))
        same("NEQ within own", query(scope, f"{field}.NEQ.{value[1]}"), sorted(i for i in ids if i != ids[1]))
        same("ENDSW within own", query(scope, f"{field}.ENDSW.{3}{suffix}"), [ids[3]])
        same("CONTAINS", query(f"{field}.CONTAINS.{value[2][2:]}"), [ids[2]])
        same("NSTARTSW within own", query(scope, f"{field}.NSTARTSW.{self.prefix}"), [])
        same("GT within own", query(scope, f"{field}.GT.{value[2]}"), sorted(ids[3:]))
        same("LT within own", query(scope, f"{field}.LT.{value[2]}"), sorted(ids[:2]))
        both = (f"{field}.EQ.{value[0]}", f"{field}.EQ.{value[4]}")
        same("AND of two EQ", query(*both), [])
        same("OR of two EQ", query(*both, filter_type="or"), sorted([ids[0], ids[4]]))

    def typed_filters(self, ids):
        same("value.EQ", ids_of(self.client.get_all(filter=["value.EQ.10001"])), [ids[3]])
        over = self.client.get_all(filter=["value.GT.9999", self.filter_all()], size=100)
        same("value.GT", sorted(ids_of(over)), sorted(ids[2:]))
        even = self.client.get_all(filter=["propogateToApic.EQ.true", self.filter_all()], size=100)
        same("propogateToApic.EQ", sorted(ids_of(even)), sorted([ids[0], ids[2], ids[4]]))

    def pages(self, ids):
        found, pages = self.own(filter=[self.filter_all()], size=2, page=1)
        same("pages", pages, 3)
        same("records over all pages", sorted(found), sorted(ids))
        second = self.client.get_all(filter=[self.filter_all()], size=2, page=2)
        same("second page", ids_of(second), found[2:4])
        link = second.response["SearchResult"]["previousPage"]
        holds(f"previousPage is {link}", link["rel"] == "previous" and link["href"].endswith("page=1"))

    def sorts(self, ids):
        for field in self.spec["sorts"]:
            up, _ = self.own(sortasc=field, size=2, page=1)
            down, _ = self.own(sortdsc=field, size=2, page=1)
            same(f"ascending by {field}", up, ids)
            same(f"descending by {field}", down, ids[::-1])

    def bulk(self):
        root, id_member = self.spec["bulk"]
        records = [on_wire(self.spec["record"](f"{self.prefix}b{n}", 50 + n)) for n in range(3)]
        resources = {"resourcesList": {"resource": records}}
        status = submit_bulk(self, self.client, root, id_member, "create", resources)
        if status is not None:
            self.check("bulk_request", "what a bulk request creates is there", lambda: self.bulk_made(status))

    def bulk_made(self, status):
        counts = [status["resourcesCount"], status["successCount"], status["failCount"]]
        same("counts of the bulk request", counts, [3, 3, 0])
        field = "sgtId" if self.family == "sgtvnvlan" else "name"
        made = ids_of(self.client.get_all(filter=[f"{field}.STARTSW.{self.prefix}b"]))
        same("records made in bulk", sorted(made), sorted(item["id"] for item in status["resourcesStatus"]))
        root, id_member = self.spec["bulk"]
        gone = submit_bulk(self, self.client, root, id_member, "delete", {"idList": {"id": made}})
        same("records removed in bulk", gone and gone["successCount"], 3)
        same("records left", ids_of(self.client.get_all(filter=[f"{field}.STARTSW.{self.prefix}b"])), [])

    def delete(self, record_id):
        answer = self.client.delete_by_id(record_id)
        same("status of delete", answer.status_code, 204)
        same("body of delete", answer.text, "")
        refused("read of what was deleted", lambda: self.client.get_by_id(record_id), 404)

    def run(self):
        made = [self.check("create", f"record {n} is created", lambda n=n: self.create(n)) for n in range(RECORDS)]
        ids = [record_id for record_id in made if record_id is not None]
        if len(ids) == RECORDS:
            self.check("get_by_id", "every field comes back", lambda: [self.read_back(i) for i in ids])
            self.check("get_all", "own records are listed with their total", lambda: self.lists(ids))
            self.check("get_all", "filters select, join by AND and by OR", lambda: self.filters(ids))
            if "value" in self.spec["filters"]:
                self.check("get_all", "numbers and booleans are filtered as such", lambda: self.typed_filters(ids))
            self.check("get_all_generator", "pages of two lead through all records", lambda: self.pages(ids))
            if self.spec["sorts"]:
                self.check("get_all_generator", "sorted over page borders", lambda: self.sorts(ids))
        if self.spec["update"] is not None and ids:
            self.check("update_by_id", "changes are named, stored and read back", lambda: self.update(ids[0]))
        if self.family == "byodportal":
            self.check("create", "an id sent with a create is kept", self.create_with_id)
        if "bulk" in self.spec:
            submit_bulk(self, self.client, *self.spec["bulk"])
            self.bulk()
        for record_id in list(self.sent):
            self.check("delete_by_id", "a record is gone after its delete", lambda i=record_id: self.delete(i))
        self.check("get_all", "nothing of ours is left", self.nothing_left)

    def create_with_id(self):
        wanted = str(uuid.uuid4())
        same("id", self.create(9, id=wanted), wanted)
        self.read_back(wanted)

    def nothing_left(self):
        same("own records", ids_of(self.client.get_all(filter=[self.filter_all()])), [])


def submit_bulk(driver, client, root, id_member, operation="create", members=None):
    """Submits a bulk request, finds its id in Location and monitors it to its end; returns its last status."""
    body = {"operationType": operation, "resourceMediaType": "application/json"}

    def submit():
        if members is None:
            answer = client.bulk_request(operation_type=operation, resource_media_type="application/json")
        else:
            answer = client.bulk_request(payload={root: {**body, **members}})
        same("status of bulk submit", answer.status_code, 202)
        return answer.headers["Location"].split("/")[-1]

    def monitor(bulk_id):
        for _ in range(100):
            status = client.monitor_bulk_status(bulk_id).response["BulkStatus"]
            same("bulk id", str(status[id_member]), bulk_id)
            if status["executionStatus"] == "COMPLETED":
                for count in ("resourcesCount", "successCount", "failCount"):
                    holds(f"{count} is {status[count]!r}", isinstance(status[count], int))
                return status
            time.sleep(0.05)
        raise AssertionError(f"bulk {bulk_id} under {root} did not complete")

    bulk_id = driver.check("bulk_request", "a bulk request is accepted with the place of its status", submit)
    if bulk_id is None:
        return None
    return driver.check("monitor_bulk_status", "the submitted bulk request completes", lambda: monitor(bulk_id))
