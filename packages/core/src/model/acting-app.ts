import type { Caller } from './caller.ts'

/** The connected app by which an account acted, as it was named then. Its name is its own claim. */
export interface ActingApp {
  readonly name: string
  /** The host that vouches for it, in ASCII; null when nothing does. */
  readonly host: string | null
}

/** Returns the app by which a caller acts; null for people, keys and hosts. */
export const actingApp = ({ app }: Pick<Caller, 'app'>): ActingApp | null =>
  app ? { name: app.name, host: app.host ?? null } : null
