import { facts, type RouteFacts } from '../../http/routes.ts'

/** The facts of a route below `/auth`. */
export const authFacts = (route: Omit<RouteFacts, 'limit' | 'tag'>) => facts({ ...route, limit: 'auth', tag: 'auth' })
