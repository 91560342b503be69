"""What the client needs to know of each family: its wrapper in the SDK and records to work with."""

PORTAL = {
    "settings": {"portalSettings": {"httpsPort": 8443, "displayLang": "USEBROWSERLOCALE"}},
    "customizations": {"portalTheme": {"name": "Default"}, "language": {"viewLanguage": "English"}},
    "portal_test_url": "https://portal.test/page?a=1&b=ü",
}

# in order as numbers, out of order as texts
VALUES = [9998, 9999, 10000, 10001, 10002]

# key of the family on the wire → wrapper, root of a single read, and a record by number
WRITABLE = {
    "portaltheme": {
        "api": "portal_theme",
        "root": "PortalTheme",
        "record": lambda name, n: {"name": name, "description": f"theme {n}", "theme_data": "Ym9keXt9"},
        "update": {"description": "changed", "theme_data": "Ym9keXtjb2xvcjpyZWR9"},
        "filters": ["name"],
        "sorts": ["name", "description"],
    },
    "hotspotportal": {
        "api": "hotspot_portal",
        "root": "HotspotPortal",
        "record": lambda name, n: {"name": name, "description": f"p {n}", "portal_type": "HOTSPOTGUEST", **PORTAL},
        "update": {"description": "changed", "portal_type": "HOTSPOTGUEST"},
        "filters": ["name"],
        "sorts": ["name", "description"],
    },
    "mydeviceportal": {
        "api": "my_device_portal",
        "root": "MyDevicePortal",
        "record": lambda name, n: {"name": name, "description": f"p {n}", "portal_type": "MYDEVICE", **PORTAL},
        "update": {"description": "changed", "portal_type": "MYDEVICE"},
        "filters": ["name", "description"],
        "sorts": ["name", "description"],
    },
    "byodportal": {
        "api": "byod_portal",
        "root": "BYODPortal",
        "record": lambda name, n: {"name": name, "description": f"p {n}", "portal_type": "BYOD", **PORTAL},
        "update": {"description": "changed", "portal_type": "BYOD"},
        "filters": ["name", "description"],
        "sorts": ["name", "description"],
    },
    "sgt": {
        "api": "security_groups",
        "root": "Sgt",
        "record": lambda name, n: {
            "name": name,
            "description": f"group {n}",
            "value": VALUES[n] if n < len(VALUES) else 61000 + n,
            "propogate_to_apic": n % 2 == 0,
        },
        "update": {"description": "changed", "value": 61900},
        "filters": ["name", "description", "value", "propogateToApic"],
        "sorts": ["name", "description", "value"],
        "bulk": ("SgtBulkRequest", "bulkId"),
    },
    "sgtvnvlan": {
        "api": "security_group_to_virtual_network",
        "root": "SgtVNVlanContainer",
        "record": lambda name, n: {
            "name": name,
            "description": f"mapping {n}",
            "sgt_id": f"{name}-sgt",
            "virtualnetworklist": [{"name": "CORP", "vlans": [{"name": "10", "data": True}]}],
        },
        "update": {"description": "changed"},
        "filters": ["sgtId"],
        "sorts": [],
        "bulk": ("SgtVNVlanContainerBulkRequest", "bulkId"),
    },
    "sxpvpns": {
        "api": "sxp_vpns",
        "root": "ERSSxpVpn",
        "record": lambda name, n: {"sxp_vpn_name": name},
        "update": None,
        "filters": ["name"],
        "sorts": ["name"],
        "bulk": ("VpnBulkRequest", "bulkId"),
    },
}

READ_ONLY = {"portal": "portal", "smsprovider": "sms_provider", "telemetryinfo": "telemetry_information", "node": "node_details"}
ANC = "anc_endpoint"

# argument of the SDK → field on the wire
FIELDS = {
    "theme_data": "themeData",
    "portal_type": "portalType",
    "portal_test_url": "portalTestUrl",
    "propogate_to_apic": "propogateToApic",
    "sgt_id": "sgtId",
    "sxp_vpn_name": "sxpVpnName",
}


def on_wire(arguments):
    return {FIELDS.get(name, name): value for name, value in arguments.items()}
