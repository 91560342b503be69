import { OPS, PATH_PREFIX } from '../lib/contract/operations.ts';
import type { FamilyTable, Op } from '../lib/contract/types.ts';
import type { Route } from './http/wire.ts';

/** Fixed paths come before those with a parameter, or `versioninfo` would be an id. */
function byParameters(a: Route, b: Route): number {
  const parameters = (route: Route) => route.path.split(':').length;
  return parameters(a) - parameters(b);
}

export function routeOf(name: string, op: Op): Route {
  const below = OPS[op].path.replace(/\{(\w+)\}/g, ':$1');
  return { method: OPS[op].method, path: `${PATH_PREFIX}/${name}${below}`, family: name, op };
}

export function routesOf(table: FamilyTable): readonly Route[] {
  return Object.entries(table)
    .flatMap(([name, family]) => family.ops.map((op) => routeOf(name, op)))
    .sort(byParameters);
}
