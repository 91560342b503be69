import { totalmem } from 'node:os';
import type { CellSpec } from '../plan/cell-spec.ts';
import { numberIn, readText } from './proc.ts';

const MIB = 2 ** 20;
/** Room for one k6 process, and for each connection with its virtual user: several times what a cell at 250/s takes. */
const OWN_MIB = 1024;
const CONNECTION_MIB = 4;
/** Share of the memory of the machine that all k6 processes of a cell together may fill before they collect. */
const MACHINE_SHARE = 4;
/** Beyond so many times that, what fills it are answers that were never meant to be read. */
const BEYOND = 2;
/** A large answer can fill a gigabyte within a second. */
const LOOK_MS = 100;

/** Memory of one k6 process of a cell, MiB: from `soft` on it collects as often as it needs to, beyond `hard` it is stopped. */
export function memoryBounds(
  { connections, segments = 1 }: Pick<CellSpec, 'connections' | 'segments'>,
  machineMib = totalmem() / MIB,
): { readonly soft: number; readonly hard: number } {
  const needed = OWN_MIB + (CONNECTION_MIB * connections) / segments;
  const soft = Math.floor(Math.min(machineMib / MACHINE_SHARE / segments, needed));
  return { soft, hard: soft * BEYOND };
}

/** MiB of memory that a process holds; undefined where the system does not show it. */
export function memoryMibOf(pid: number): number | undefined {
  const heldKb = numberIn(/^VmRSS:\s+(\d+) kB/m, readText(`/proc/${pid}/status`));
  return heldKb === undefined ? undefined : heldKb / 1024;
}

/** Tells, with the reason, when a process holds more than it may; ten times a second until it is stopped. */
export function watchMemory(pid: number, limitMib: number, onBeyond: (reason: string) => void): { stop(): void } {
  const look = () => {
    const held = memoryMibOf(pid);
    if (held === undefined || held <= limitMib) return;
    onBeyond(`k6 held ${Math.round(held)} MiB of memory, more than the ${limitMib} MiB that it may`);
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return { stop: () => clearInterval(timer) };
}
