import type { Caller } from '../model/caller.ts'
import type { Purchase } from './payment-rail.ts'
import type { ContentPage } from './storage/content.ts'
import type { Profile } from './storage/profiles.ts'

/** A legal reason for withholding content. */
export interface LegalRestriction {
  /** A sentence for the reader. */
  readonly reason: string
  readonly legalBasis?: string | undefined
  readonly jurisdiction?: string | undefined
  /** A contact for questions about the restriction. */
  readonly contact?: string | undefined
}

/** Hooks in which a host can reject an operation by throwing. They run outside transactions, before anything is stored. */
export interface EepHooks {
  /** Called before an account is created. */
  beforeRegister?(registration: { readonly email: string; readonly username: string }): void | Promise<void>
  /**
   * Called before a page becomes public, or a public page changes. `profileId` is 0 for pages that are imported with their
   * profile, which does not exist yet.
   */
  beforePublish?(page: Pick<ContentPage, 'profileId' | 'title' | 'slug' | 'body' | 'excerpt'>): void | Promise<void>
  /** Called before content is shown or sold. Return a restriction to respond with 451. */
  legalRestriction?(access: {
    readonly profile: Profile
    /** The resource as in gates: `content.notes.my_page`. */
    readonly resource: string
    readonly caller: Caller | undefined
  }): LegalRestriction | undefined | Promise<LegalRestriction | undefined>
  /** Called before a payment is settled. */
  beforeSettle?(purchase: Purchase): void | Promise<void>
}
