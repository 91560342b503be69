import { ipOf, macOf } from '../../lib/wire/endpoint.ts';

/** The pool in the syntax of --endpoints: first MAC + count @ first IP. */
export function sessionRange(count: number): string {
  return `${macOf(0)}+${count}@${ipOf(0)}`;
}

/** Tells the MAC address of a live session by its IP address; memory grows with their number, as it does on a real deployment. */
export function sessionTable(count: number): (ip: string) => string | undefined {
  const macs = new Map(Array.from({ length: count }, (_, index) => [ipOf(index), macOf(index)]));
  return (ip) => macs.get(ip);
}
