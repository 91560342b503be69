import { personaFacts } from '../../../lib/contract/personas.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import type { QueryPair } from '../../../lib/wire/query.ts';
import { Problem } from '../../answers/problem.ts';
import { changing, choosing, onRequest } from '../rule.ts';

/** Guest and sponsor portals only. */
const portalview = changing('store', (inner) => ({
  sources: (name) => {
    const { leavesOut = [] } = personaFacts(name);
    return inner.sources(name).filter((source) => !leavesOut.includes(source));
  },
}));

const portal500 = onRequest(({ route }, { table }) =>
  route?.op === 'list' && table[route.family]?.viewOf !== undefined
    ? new Problem(500, 'crud', 'Operation search PORTAL failed')
    : undefined,
);

const FILTER_TYPE = 'filtertype';

/** The parameter in small letters counts, the listed spelling is a parameter nobody knows. */
const filtertype = changing('query', (inner) => ({
  plan: (name, pairs) => {
    const isIgnored = ([key]: QueryPair) => key !== FILTER_TYPE && key.toLowerCase() === FILTER_TYPE;
    const plan = inner.plan(
      name,
      pairs.filter((pair) => !isIgnored(pair)),
    );
    return { ...plan, pairs: pairs.filter(([key]) => key !== 'page' && key !== 'size') };
  },
}));

/** Endpoints are found by their address, under its own name. */
const ancfilter = changing('query', (inner, { table }) => ({
  plan: (name, pairs) => {
    const family = table[name];
    const members = vendorFacts(name).fieldMembers ?? {};
    if (family === undefined || !hasOp(family, 'apply')) return inner.plan(name, pairs);
    const renamed = pairs.map(([key, value]): QueryPair => {
      if (key !== 'filter') return [key, value];
      for (const [field, member] of Object.entries(members)) {
        if (value.startsWith(`${field}.`))
          throw new Problem(400, 'query', `The filter field '${field}' is not supported`);
        if (value.startsWith(`${member}.`)) return [key, field + value.slice(member.length)];
      }
      return [key, value];
    });
    return { ...inner.plan(name, renamed), pairs: pairs.filter(([key]) => key !== 'page' && key !== 'size') };
  },
}));

/** A page past the end is nothing that is there. */
const past404 = changing('pager', (inner) => ({
  range: (plan, total) => {
    try {
      return inner.range(plan, total);
    } catch (fault) {
      if (fault instanceof Problem && fault.code === 'page') throw new Problem(404, 'page', fault.message);
      throw fault;
    }
  },
}));

export const LIST_RULES = {
  portalview,
  portal500,
  filtertype,
  ancfilter,
  case: choosing({ ignoreCase: true }),
  paging: choosing({ maxSize: 100, overMaxSize: 'refuse', pastEnd: 'refuse' }),
  past404,
};
