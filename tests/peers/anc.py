"""Apply and clear of policies, by MAC and by IP address, and the list of what is applied."""

from ledger import holds, refused, same
from writable import ids_of, submit_bulk, total_of


def items(**pairs):
    return [{"name": name, "value": value} for name, value in pairs.items()]


class AncFamily:
    family = "ancendpoint"

    def __init__(self, ledger, api, ready):
        self.ledger = ledger
        self.client = api.anc_endpoint
        self.policy = ready["policies"][0]
        first, _, rest = ready["endpoints"].partition("+")
        self.first = int(first.replace(":", ""), 16)
        self.first_ip = [int(part) for part in (rest.partition("@")[2] or "10.0.0.0").split(".")]

    def mac(self, n):
        digits = f"{self.first + n:012X}"
        return ":".join(digits[i : i + 2] for i in range(0, 12, 2))

    def ip(self, n):
        return ".".join(str(part) for part in [*self.first_ip[:3], self.first_ip[3] + n])

    def check(self, operation, title, call):
        return self.ledger.check(self.family, operation, title, call)

    def listed(self, mac):
        answer = self.client.get_all(filter=[f"name.EQ.{mac}"])
        same("total", total_of(answer), len(ids_of(answer)))
        return ids_of(answer)

    def apply(self, **pairs):
        answer = self.client.apply(additional_data=items(**pairs))
        same("status of apply", answer.status_code, 204)
        same("body of apply", answer.text, "")

    def clear(self, **pairs):
        answer = self.client.clear(additional_data=items(**pairs))
        same("status of clear", answer.status_code, 204)
        same("body of clear", answer.text, "")

    def holds_policy(self, mac):
        found = self.listed(mac)
        same(f"entries of {mac}", len(found), 1)
        record = self.client.get_by_id(found[0]).response["ErsAncEndpoint"]
        same("id", record["id"], found[0])
        same("macAddress", record["macAddress"], mac)
        same("policyName", record["policyName"], self.policy)

    def by_mac(self):
        self.apply(macAddress=self.mac(0), policyName=self.policy)
        self.holds_policy(self.mac(0))

    def by_ip(self):
        self.apply(ipAddress=self.ip(1), policyName=self.policy)
        self.holds_policy(self.mac(1))

    def several(self):
        data = [item for n in (2, 3, 4) for item in items(macAddress=self.mac(n), policyName=self.policy)]
        same("status of apply", self.client.apply(additional_data=data).status_code, 204)
        for n in (2, 3, 4):
            self.holds_policy(self.mac(n))

    def twice(self):
        again = lambda: self.client.apply(additional_data=items(macAddress=self.mac(0), policyName=self.policy))
        error = refused("second apply", again, 400)
        holds(f"not said to be associated already: {error}", "already associated" in str(error))

    def pages(self):
        own = f"name.STARTSW.{self.mac(0)[:15]}"
        found = [i for page in self.client.get_all_generator(filter=[own], size=2, page=1) for i in ids_of(page)]
        same("entries over all pages", len(found), 5)
        same("different entries", len(set(found)), 5)
        names = lambda **sort: [
            self.client.get_by_id(i).response["ErsAncEndpoint"]["macAddress"]
            for i in ids_of(self.client.get_all(filter=[own], **sort))
        ]
        macs = [self.mac(n) for n in range(5)]
        same("ascending by name", names(sortasc="name"), macs)
        same("descending by name", names(sortdsc="name"), macs[::-1])

    def clear_all(self):
        self.clear(macAddress=self.mac(0))
        self.clear(macAddress=self.mac(1), policyName=self.policy)
        for n in (2, 3, 4):
            self.clear(macAddress=self.mac(n))
        for n in range(5):
            same(f"entries of {self.mac(n)}", self.listed(self.mac(n)), [])

    def clear_nothing(self):
        gone = lambda: self.client.clear(additional_data=items(macAddress=self.mac(0)))
        error = refused("clear of nothing", gone, 400)
        holds(f"not said to be unassociated: {error}", "not associated" in str(error))

    def run(self):
        self.check("apply", "a policy is applied by MAC address", self.by_mac)
        self.check("apply", "a policy is applied by IP address", self.by_ip)
        self.check("apply", "one request applies to several endpoints", self.several)
        self.check("apply", "a second apply is refused", self.twice)
        self.check("get_by_id", "an entry is read by its id", lambda: self.holds_policy(self.mac(0)))
        self.check("get_all", "the filter on name finds a MAC address", lambda: self.holds_policy(self.mac(1)))
        self.check("get_all_generator", "pages and sort orders hold", self.pages)
        self.check("clear", "cleared endpoints are no longer listed", self.clear_all)
        self.check("clear", "a clear of nothing is refused", self.clear_nothing)
        submit_bulk(self, self.client, "ErsAncEndpointBulkRequest", "bulkID")
