/** The part of jStat that is used; the package brings no types. */
declare module 'jstat' {
  const jstat: {
    readonly studentt: {
      readonly inv: (p: number, df: number) => number;
      readonly cdf: (t: number, df: number) => number;
    };
    readonly normal: { readonly inv: (p: number, mean: number, deviation: number) => number };
  };
  export = jstat;
}
