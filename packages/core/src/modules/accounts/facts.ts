import { facts, type RouteFacts } from '../../http/routes.ts'

/** The facts of a route below `/auth` that checks credentials, sends email or begins a sign-in: five a minute. */
export const authFacts = (route: Omit<RouteFacts, 'limit' | 'tag'>) => facts({ ...route, limit: 'auth', tag: 'auth' })

/** The facts of the other routes below `/auth`, which count in the default group. */
export const accountFacts = (route: Omit<RouteFacts, 'limit' | 'tag'>) => facts({ ...route, tag: 'auth' })
