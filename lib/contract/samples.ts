/** Sample values of members, two of each that differ in everything. Vendor facts: no deployment fails for them alone. */

const SETTINGS = [
  { supportInfoSettings: { includeSupportInfoPage: true, includeMacAddr: true, includeIpAddress: false } },
  { supportInfoSettings: { includeSupportInfoPage: true, includeMacAddr: false, includeIpAddress: true } },
] as const;

const BASICS = [
  { httpsPort: 8443, allowedInterfaces: ['eth0'] },
  // No item of the first list: what an update adds to it shows.
  { httpsPort: 8999, allowedInterfaces: ['eth1', 'bond0'] },
] as const;

/** Objects in the form of published definitions (gaps G-02 and G-03). The two differ at each depth and in each kind of value, both ways. */
export const SAMPLE_OBJECTS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  settings: [
    { ...SETTINGS[0], portalSettings: BASICS[0] },
    { ...SETTINGS[1], portalSettings: BASICS[1] },
  ],
  customizations: [
    {
      portalTweakSettings: { bannerColor: '#102030' },
      globalCustomizations: { bannerTitle: 'first', mobileLogoImage: { data: 'Zmlyc3Q=' } },
      pageCustomizations: { data: [{ key: 'ui_contact_text', value: 'Zmlyc3Q+Pj4/IQ==' }] },
    },
    {
      portalTweakSettings: { bannerColor: '#405060' },
      globalCustomizations: { bannerTitle: 'second', mobileLogoImage: { data: 'c2Vjb25k' } },
      pageCustomizations: {
        data: [
          { key: 'ui_contact_text', value: 'YSBzZWNvbmQ+Pj4/' },
          { key: 'ui_banner_text', value: 'Zmlyc3Q+Pj4/IQ==' },
        ],
      },
    },
  ],
};

/** Settings of a BYOD portal: the one kind whose groups hold groups. */
export const BYOD_SETTINGS = [
  {
    portalSettings: BASICS[0],
    byodSettings: { byodWelcomeSettings: { includeAup: true, requireAupAcceptance: true, requireScrolling: false } },
  },
  {
    portalSettings: BASICS[1],
    byodSettings: { byodWelcomeSettings: { includeAup: true, requireAupAcceptance: false, requireScrolling: true } },
  },
] as const;

/** Smaller ones, for targets that do not take all members of the others. */
export const PLAIN_SAMPLES: typeof SAMPLE_OBJECTS = {
  settings: SETTINGS,
  customizations: [
    { portalTweakSettings: { bannerColor: '#102030' } },
    { portalTweakSettings: { bannerColor: '#405060' } },
  ],
  virtualnetworklist: [
    [{ name: 'cfm-vn-a', defaultVirtualNetwork: true, vlans: [] }],
    [{ name: 'cfm-vn-b', defaultVirtualNetwork: false, vlans: [] }],
  ],
};

export const SAMPLE_LISTS: typeof SAMPLE_OBJECTS = {
  virtualnetworklist: [
    [{ name: 'Cfm-VN-a', defaultVirtualNetwork: true, vlans: [] }],
    [
      {
        name: 'Cfm-VN-b',
        defaultVirtualNetwork: false,
        vlans: [{ name: 'Cfm-Vlan-b', defaultVlan: true, maxValue: 300, data: false }],
      },
    ],
  ],
};

/** Texts of members with no form of their own: Base64, as theme data is. */
export const SAMPLE_TEXTS = ['LyogZmlyc3QgKi8=', 'LyogYW5vdGhlciAqLw=='] as const;
export const SAMPLE_DESCRIPTIONS = ['made by ers-harness', 'changed by ers-harness'] as const;
export const SAMPLE_URLS = ['https://portal.example/first', 'https://portal.example/second'] as const;
