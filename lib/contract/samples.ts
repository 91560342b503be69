/** Sample values of members, two of each that differ in everything. Vendor facts: no deployment fails for them alone. */

/** Objects in the form of published definitions (gaps G-02 and G-03). The two differ at each depth and in each kind of value, both ways. */
export const SAMPLE_OBJECTS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  settings: [
    { supportInfoSettings: { includeSupportInfoPage: true, includeMacAddr: true, includeIpAddress: false } },
    { supportInfoSettings: { includeSupportInfoPage: true, includeMacAddr: false, includeIpAddress: true } },
  ],
  customizations: [
    {
      portalTweakSettings: { bannerColor: '#102030' },
      globalCustomizations: { bannerTitle: 'first', mobileLogoImage: { data: 'Zmlyc3Q=' } },
      pageCustomizations: { data: [{ key: 'ui_contact_text', value: 'Zmlyc3Q=' }] },
    },
    {
      portalTweakSettings: { bannerColor: '#405060' },
      globalCustomizations: { bannerTitle: 'second', mobileLogoImage: { data: 'c2Vjb25k' } },
      pageCustomizations: {
        data: [
          { key: 'ui_contact_text', value: 'c2Vjb25k' },
          { key: 'ui_banner_text', value: 'Zmlyc3Q=' },
        ],
      },
    },
  ],
};

/** Settings of a BYOD portal: the one kind whose groups hold groups. */
export const BYOD_SETTINGS = [
  { byodSettings: { byodWelcomeSettings: { includeAup: true, requireScrolling: false } } },
  { byodSettings: { byodWelcomeSettings: { includeAup: true, requireScrolling: true } } },
] as const;

/** Smaller ones, for targets that do not keep all members of the others. */
export const PLAIN_OBJECTS: typeof SAMPLE_OBJECTS = {
  customizations: [
    { portalTweakSettings: { bannerColor: '#102030' } },
    { portalTweakSettings: { bannerColor: '#405060' } },
  ],
};

export const SAMPLE_LISTS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  virtualnetworklist: [
    [{ name: 'cfm-vn-a', defaultVirtualNetwork: true, vlans: [] }],
    [{ name: 'cfm-vn-b', defaultVirtualNetwork: false, vlans: [] }],
  ],
};

/** Texts of members with no form of their own: Base64, as theme data is. */
export const SAMPLE_TEXTS = ['LyogZmlyc3QgKi8=', 'LyogYW5vdGhlciAqLw=='] as const;
export const SAMPLE_DESCRIPTIONS = ['made by ers-harness', 'changed by ers-harness'] as const;
export const SAMPLE_URLS = ['https://portal.example/first', 'https://portal.example/second'] as const;
