/** Loads what makes the hooks of paid routes, with the first request for one: hosts without such routes do not load it. */
export const loadPaidHooks = () => import('./hooks.ts')
