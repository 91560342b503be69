import { UsageError } from '../../errors.ts';
import { permutation } from '../../wire/endpoint.ts';
import type { NamedPool } from '../anc/pool.ts';
import type { JournalTrail, Wave } from './outstanding.ts';

/** True where the wave is of this pool: the same range, and within it. A file is taken for the one that the operator named. */
function isOfPool({ source, offset, size, count }: Wave, pool: NamedPool): boolean {
  const { firstMac, firstIp } = source.kind === 'range' ? source : {};
  const isSame =
    source.kind === pool.source.kind &&
    (pool.source.kind !== 'range' || (pool.source.firstMac === firstMac && pool.source.firstIp === firstIp));
  return isSame && count <= size && offset + size <= pool.size;
}

/** Endpoints of the operator's pool that a journal names, whatever it says of them: their numbers in the pool, ascending, and addresses `outside` of it. Throws `UsageError` for parts of another pool. */
export function touchedEndpoints({ endpoints, waves }: JournalTrail, pool: NamedPool) {
  const indexes = new Set<number>();
  for (const wave of waves) {
    if (!isOfPool(wave, pool)) {
      throw new UsageError('other-pool', 'the run of this journal used other endpoints than --endpoints', {
        hint: 'use the --endpoints of that run',
      });
    }
    const order = permutation(wave.size, wave.seed);
    for (let seq = 0; seq < wave.count; seq += 1) indexes.add(wave.offset + order(seq));
  }
  const outside: string[] = [];
  for (const address of endpoints) {
    const index = pool.indexOf(address);
    if (index === undefined) outside.push(address);
    else indexes.add(index);
  }
  return { indexes: [...indexes].sort((a, b) => a - b), outside };
}
