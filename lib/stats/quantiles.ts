import jstat from 'jstat';

function checkedShare(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`${p} is no share`);
  return p;
}

/** Point of Student's distribution with `df` degrees of freedom, of any positive number, below which the share `p` lies. */
export function studentQuantile(p: number, df: number): number {
  return jstat.studentt.inv(checkedShare(p), df);
}

/** Share of Student's distribution with `df` degrees of freedom that lies below `t`. */
export function studentShare(t: number, df: number): number {
  return jstat.studentt.cdf(t, df);
}
