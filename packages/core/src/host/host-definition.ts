import type { FastifyInstance } from 'fastify'
import type { Eep, EepOptions } from '../framework/eep.ts'
import type { Module } from '../framework/module/define-module.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import type { Storage } from '../ports/storage/storage.ts'
import type { CommandOf } from './commands/command-of.ts'
import type { HostAdapter, HostParts } from './host-adapter.ts'

/** A host: which packages it uses, and what the service of it has beside that. */
export interface HostDefinition {
  /** The packages that variables configure, in the order of their offers in a 402. One of them has a database. */
  readonly adapters: readonly HostAdapter[]
  /** The features of the service, and modules of the host, made of the parts that variables configure. */
  modules?(parts: ServiceParts): readonly Module[]
  /**
   * The options of the service that no variable decides, made of the parts that variables configure. They win over those of
   * variables; groups of options are joined.
   */
  options?(parts: HostParts): Partial<EepOptions>
  /**
   * Adds routes of the host to its main listener, beside those of the service, which is `app.eep`. Runs before the host listens; what it
   * throws stops the start.
   *
   * @see https://github.com/eep-service/eep/blob/main/docs/start/sell-an-api.md
   * @example
   * routes(app) {
   *   const profile = app.eep.profiles.didOf({ type: 'organization', username: 'demo' })
   *   const preHandler = app.eep.requireAccess({ profile, resource: 'api.tides', price })
   *   app.get('/tides', { preHandler }, readTides)
   * }
   */
  routes?(app: FastifyInstance): void | Promise<void>
  /**
   * Commands of `eep` beside its own, made with `defineCommand`; packages of modules may export some. The name of another command is a
   * TypeError. Modules do not have them: modules exist only once the variables are read, and `--help` needs no variables.
   */
  readonly commands?: readonly CommandOf<HostDefinition>[] | undefined
  /** Content that an embedded database begins with, outside of production. */
  readonly demo?: HostDemo | undefined
}

/** The parts that features are made of. */
export interface ServiceParts extends HostParts {
  /** The search index of the database. Undefined where nothing is searched. */
  readonly index?: SearchIndex | undefined
}

/** Sends a request to the service, which does not listen yet: `fetch('/files', { method: 'POST', body: form })`. */
export type DemoFetch = (path: string, init?: RequestInit) => Promise<Response>

/** Content of a host without configuration, so that there is something to try. */
export interface HostDemo {
  /** The email address of the account that owns the content. In the sandbox, people can continue as that account. */
  readonly owner?: string | undefined
  /** The path of a page that can be bought, for the start lines of the sandbox. */
  readonly page?: string | undefined
  /** Fills the database unless it has content. */
  seed(eep: Eep, storage: Storage, fetch: DemoFetch): Promise<void>
  /** What to try, for standard output; with `isPaid`, pages can be bought. */
  hints(eep: Eep, url: string, isPaid: boolean): Promise<string | undefined>
}
