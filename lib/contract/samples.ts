/** Sample values of members, two of each that differ in everything. Vendor facts: no deployment fails for them alone. */

/** Objects in the form that published definitions give them; the specification does not show it (gaps G-02 and G-03). */
export const SAMPLE_OBJECTS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  settings: [
    { supportInfoSettings: { includeSupportInfoPage: true, includeMacAddr: true } },
    { supportInfoSettings: { includeSupportInfoPage: true, includeMacAddr: false } },
  ],
  customizations: [
    { portalTweakSettings: { bannerColor: '#102030' } },
    { portalTweakSettings: { bannerColor: '#405060' } },
  ],
};

/** Lists of objects, likewise. */
export const SAMPLE_LISTS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  virtualnetworklist: [
    [{ name: 'cfm-vn-a', defaultVirtualNetwork: true, vlans: [] }],
    [{ name: 'cfm-vn-b', defaultVirtualNetwork: true, vlans: [] }],
  ],
};

/** Texts of members with no form of their own: Base64, as theme data is. */
export const SAMPLE_TEXTS = ['LyogZmlyc3QgKi8=', 'LyogYW5vdGhlciAqLw=='] as const;
/** Descriptions. */
export const SAMPLE_DESCRIPTIONS = ['made by ers-harness', 'changed by ers-harness'] as const;
/** Addresses. */
export const SAMPLE_URLS = ['https://portal.example/first', 'https://portal.example/second'] as const;
