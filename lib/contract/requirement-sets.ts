import { FAMILIES } from './families.ts';
import { requirements } from './requirements.ts';
import type { Family } from './types.ts';

/** Sets that never change: a requirement that is added later belongs to a later set, so that nights stay comparable. */
export const REQUIREMENT_SETS: Readonly<Record<string, readonly string[]>> = {
  '2026.11': `
    SVC-1 SVC-2 RES-ID RES-NAMES RES-ROOT RES-TYPE RES-PTYPE RES-SGTVAL LIM-SGT RES-MAC RES-ANC RES-TEL CNV-HDR
    CNV-XML CNV-VERB CNV-UNSET PAY-C PAY-U PAY-ID LST-ENV LST-PAGE LST-SIZE LST-NEXT LST-SORT LST-FILT LST-FTYPE
    LST-DATE LST-NOSORT VIEW-PORTAL SPC-NODE SPC-VER SPC-BULK SPC-ANC AUTH-CSRF LIM-ANC VER-GROUP VER-PATH
    CNV-EXTRA VIEW-RO ATOM-1 FRESH-1 LIST-GET NEG-404 NEG-BODY NEG-FILTER ADV-5XX ADV-ERR ADV-LEAK FOP-EQ FOP-NEQ
    FOP-GT FOP-LT FOP-STARTSW FOP-NSTARTSW FOP-ENDSW FOP-NENDSW FOP-CONTAINS FOP-NCONTAINS OP-portaltheme-R
    OP-portaltheme-U OP-portaltheme-D OP-portaltheme-L OP-portaltheme-C OP-portaltheme-V FLD-portaltheme
    OP-hotspotportal-R OP-hotspotportal-U OP-hotspotportal-D OP-hotspotportal-L OP-hotspotportal-C
    OP-hotspotportal-V FLD-hotspotportal OP-mydeviceportal-R OP-mydeviceportal-U OP-mydeviceportal-D
    OP-mydeviceportal-L OP-mydeviceportal-C OP-mydeviceportal-V FLD-mydeviceportal OP-byodportal-R OP-byodportal-U
    OP-byodportal-D OP-byodportal-L OP-byodportal-C OP-byodportal-V FLD-byodportal OP-portal-R OP-portal-L
    OP-portal-V FLD-portal OP-smsprovider-L OP-smsprovider-V FLD-smsprovider OP-telemetryinfo-R OP-telemetryinfo-L
    OP-telemetryinfo-V FLD-telemetryinfo OP-node-R OP-node-RN OP-node-L OP-node-V FLD-node OP-sgt-R OP-sgt-U
    OP-sgt-D OP-sgt-L OP-sgt-C OP-sgt-V OP-sgt-BS OP-sgt-BM FLD-sgt OP-sgtvnvlan-R OP-sgtvnvlan-U OP-sgtvnvlan-D
    OP-sgtvnvlan-L OP-sgtvnvlan-C OP-sgtvnvlan-V OP-sgtvnvlan-BS OP-sgtvnvlan-BM FLD-sgtvnvlan OP-sxpvpns-R
    OP-sxpvpns-D OP-sxpvpns-L OP-sxpvpns-C OP-sxpvpns-V OP-sxpvpns-BS OP-sxpvpns-BM FLD-sxpvpns OP-ancendpoint-R
    OP-ancendpoint-L OP-ancendpoint-V OP-ancendpoint-BS OP-ancendpoint-BM OP-ancendpoint-APPLY
    OP-ancendpoint-CLEAR FLD-ancendpoint G-01 G-02 G-03 G-04 G-05 G-06 G-07 G-08 G-09 G-10 G-11 G-12 G-13 G-14
    G-15 G-16
  `
    .trim()
    .split(/\s+/),
};

/** Name of the newest set, by which a run is judged unless another is named. */
export const NEWEST_SET: string = Object.keys(REQUIREMENT_SETS).at(-1) ?? '';

/** True for a requirement that came after a set. One of an imported family is in every set; nothing is outside an unknown one. */
export function isOutside(set: string | undefined, requirement: string): boolean {
  const held = set === undefined || !Object.hasOwn(REQUIREMENT_SETS, set) ? undefined : REQUIREMENT_SETS[set];
  if (held === undefined || held.includes(requirement)) return false;
  const built = Object.fromEntries(
    Object.entries<Family>(FAMILIES).filter(([, { imported }]) => imported === undefined),
  );
  return requirements(built).some(({ id }) => id === requirement);
}
