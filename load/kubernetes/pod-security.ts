/** User that the stock image of k6 runs as. */
export const K6_USER = 12345;
/** User of the image that the starter runs `curl` in. */
export const STARTER_USER = 65532;

/** What PodSecurity *restricted* asks of a pod; the group owns the volume, so that the user can write to it. */
export function podSecurity(user: number) {
  return {
    ...{ runAsNonRoot: true, runAsUser: user, runAsGroup: user, fsGroup: user },
    seccompProfile: { type: 'RuntimeDefault' },
  };
}

export const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
} as const;
