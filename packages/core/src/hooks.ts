import type { ContentPage } from './modules/content/store.ts'
import type { Purchase } from './ports/payment-rail.ts'

/** The points where a host may refuse, by throwing. They run before anything is stored and outside of transactions. */
export interface EepHooks {
  /** Before an account is made. */
  beforeRegister?(registration: { readonly email: string; readonly username: string }): void | Promise<void>
  /** Before a page becomes public, or a public page changes. */
  beforePublish?(page: Pick<ContentPage, 'profileId' | 'title' | 'slug' | 'body' | 'excerpt'>): void | Promise<void>
  /** Before money is taken. */
  beforeSettle?(purchase: Purchase): void | Promise<void>
}
