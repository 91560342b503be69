type Group = Readonly<Record<string, unknown>>;

/** What a portal kind has when it is new, in the form of the published definitions. */
export interface PortalDefaults {
  /** The value of portalType of this kind. */
  readonly kind: string;
  /** Path of its test page, before the id of the portal. */
  readonly testPath: string;
  /** Groups of settings that the kind knows, with what the server fills in. */
  readonly settings: Readonly<Record<string, Group>>;
  /** Groups that the kind takes and does not fill in. */
  readonly furtherSettings?: readonly string[];
  readonly customizations: Readonly<Record<string, Group>>;
}

export const PORTAL_INTERFACES: readonly string[] = [
  ...['eth0', 'eth1', 'eth2', 'eth3', 'eth4', 'eth5'],
  ...['bond0', 'bond1', 'bond2'],
];

export const CERTIFICATE_GROUPS: readonly string[] = ['Default Portal Certificate Group'];

const GUEST_ENDPOINTS = 'aa178bd0-8bff-11e6-996c-525400b48521';
const REGISTERED_DEVICES = 'aa13bb40-8bff-11e6-996c-525400b48521';

export const ENDPOINT_GROUPS: readonly string[] = [
  GUEST_ENDPOINTS,
  REGISTERED_DEVICES,
  'aa0e8b20-8bff-11e6-996c-525400b48521',
  'aa10ae00-8bff-11e6-996c-525400b48521',
];

const DEFAULT_THEME = { id: '9eb421c0-8c01-11e6-996c-525400b48521', name: 'Default Blue theme' };

const portalSettings = (endpointIdentityGroup: string): Group => ({
  httpsPort: 8443,
  allowedInterfaces: ['eth0', 'bond0'],
  certificateGroupTag: CERTIFICATE_GROUPS[0],
  endpointIdentityGroup,
  displayLang: 'USEBROWSERLOCALE',
  fallbackLanguage: 'English',
  alwaysUsedLanguage: 'English',
});

const supportInfoSettings: Group = {
  includeSupportInfoPage: false,
  includeMacAddr: true,
  includeIpAddress: true,
  includeBrowserUserAgent: true,
  includePolicyServer: true,
  includeFailureCode: true,
  emptyFieldDisplay: 'HIDE',
};

/** Texts of the pages: key and Base64 text; a few of about seventy. */
const PAGE_TEXTS = [
  { key: 'ui_contact_ip_address_label', value: 'SVAgYWRkcmVzczo=' },
  { key: 'ui_error_content_label', value: 'RXJyb3I=' },
  { key: 'ui_success_optional_content_1', value: '' },
  { key: 'ui_aup_content_label', value: 'QWNjZXB0YWJsZSBVc2UgUG9saWN5' },
  { key: 'ui_aup_accept_button', value: 'QWNjZXB0' },
  { key: 'ui_contact_link', value: 'Q29udGFjdCBTdXBwb3J0' },
  { key: 'ui_session_timeout_retry_button', value: 'UmV0cnk=' },
  { key: 'ui_footer_label', value: '' },
];

const PIXEL = { data: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' };

const customizations = (bannerTitle: string): Readonly<Record<string, Group>> => ({
  portalTheme: DEFAULT_THEME,
  portalTweakSettings: {
    bannerColor: '#005073',
    bannerTextColor: '#ffffff',
    pageBackgroundColor: '#ffffff',
    pageLabelAndTextColor: '#000000',
  },
  language: { viewLanguage: 'English' },
  globalCustomizations: {
    mobileLogoImage: PIXEL,
    desktopLogoImage: PIXEL,
    bannerImage: PIXEL,
    backgroundImage: PIXEL,
    bannerTitle,
    contactText: 'Contact Support',
    footerElement: '',
  },
  pageCustomizations: { data: PAGE_TEXTS },
});

export const PORTAL_DEFAULTS = {
  hotspotportal: {
    kind: 'HOTSPOTGUEST',
    testPath: '/portal/PortalSetup.action?portal=',
    settings: {
      portalSettings: { ...portalSettings(GUEST_ENDPOINTS), coaType: 'COAREAUTHENTICATE' },
      aupSettings: { requireAccessCode: false, includeAup: true, requireScrolling: false },
      postAccessBannerSettings: { includePostAccessBanner: false },
      authSuccessSettings: { successRedirect: 'AUTHSUCCESSPAGE' },
      supportInfoSettings,
    },
    furtherSettings: ['postLoginBannerSettings'],
    customizations: customizations('Hotspot Portal'),
  },
  mydeviceportal: {
    kind: 'MYDEVICE',
    testPath: '/mydevicesportal/PortalSetup.action?portal=',
    settings: {
      portalSettings: portalSettings(REGISTERED_DEVICES),
      loginPageSettings: {
        maxFailedAttemptsBeforeRateLimit: 5,
        timeBetweenLoginsDuringRateLimit: 2,
        includeAup: false,
        aupDisplay: 'ASLINK',
        requireAupAcceptance: false,
        requireScrolling: false,
        socialConfigs: [],
      },
      aupSettings: {
        displayFrequency: 'FIRSTLOGIN',
        displayFrequencyIntervalDays: 7,
        includeAup: true,
        requireScrolling: false,
      },
      employeeChangePasswordSettings: { allowEmployeeToChangePwd: false },
      postLoginBannerSettings: { includePostAccessBanner: false },
      supportInfoSettings,
    },
    furtherSettings: ['postAccessBannerSettings'],
    customizations: customizations('My Devices Portal'),
  },
  byodportal: {
    kind: 'BYOD',
    testPath: '/portal/PortalSetup.action?portal=',
    settings: {
      portalSettings: portalSettings(REGISTERED_DEVICES),
      byodSettings: {
        byodWelcomeSettings: {
          enableBYOD: true,
          enableGuestAccess: false,
          requireMDM: false,
          includeAup: true,
          aupDisplay: 'ONPAGE',
          requireAupAcceptance: false,
          requireScrolling: false,
        },
        byodRegistrationSettings: { showDeviceID: true, endPointIdentityGroupId: REGISTERED_DEVICES },
        byodRegistrationSuccessSettings: { successRedirect: 'AUTHSUCCESSPAGE' },
      },
      supportInfoSettings,
    },
    customizations: customizations('BYOD Portal'),
  },
} as const satisfies Readonly<Record<string, PortalDefaults>>;
