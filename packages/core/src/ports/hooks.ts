import type { Caller } from '../model/caller.ts'
import type { Purchase } from './payment-rail.ts'
import type { ContentPage } from './storage/content.ts'
import type { Profile } from './storage/profiles.ts'

/** Why something may not be shown. */
export interface LegalRestriction {
  /** A sentence for the reader. */
  readonly reason: string
  readonly legalBasis?: string | undefined
  readonly jurisdiction?: string | undefined
  /** Whom to write to. */
  readonly contact?: string | undefined
}

/** The points where a host may refuse, by throwing. They run before anything is stored and outside of transactions. */
export interface EepHooks {
  /** Before an account is made. */
  beforeRegister?(registration: { readonly email: string; readonly username: string }): void | Promise<void>
  /** Before a page becomes public, or a public page changes. */
  beforePublish?(page: Pick<ContentPage, 'profileId' | 'title' | 'slug' | 'body' | 'excerpt'>): void | Promise<void>
  /** Before content is shown, or soldto a caller: a restriction answers 451. */
  legalRestriction?(access: {
    readonly profile: Profile
    /** As gates name it: `content.notes.my_page`. */
    readonly resource: string
    readonly caller: Caller | undefined
  }): LegalRestriction | undefined | Promise<LegalRestriction | undefined>
  /** Before money is taken. */
  beforeSettle?(purchase: Purchase): void | Promise<void>
}
