import type { AskAgain } from '../../../http/html/account-forms.ts'
import { formRoutes } from '../../../http/html/html-forms.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { AccountService } from '../../people/accounts/index.ts'
import { type DashboardPages, dashboardPages } from './dashboard.routes.ts'
import { type EmailPages, emailPages, type PayoutUndoPage, payoutUndoPage } from './emailed-links.routes.ts'
import { type InvitationKind, invitationPages } from './invitations.routes.ts'
import { type NotificationPages, notificationPages } from './notifications.routes.ts'
import { type PasswordPages, passwordPages } from './password.routes.ts'
import { secondFactorPages } from './second-factor.routes.ts'
import { type SecurityPages, securityPages } from './security.routes.ts'
import { type SignInPages, signInPages } from './sign-in.routes.ts'
import { type Transfers, transferPages } from './transfers.routes.ts'
import { type VerifyPages, verifyPages } from './verify.routes.ts'

export interface AccountPages
  extends Omit<SignInPages, 'hasPasskeys'>,
    Omit<PasswordPages, 'hasOtherSignIns'>,
    VerifyPages,
    DashboardPages {
  readonly accounts: SignInPages['accounts'] &
    PasswordPages['accounts'] &
    VerifyPages['accounts'] &
    EmailPages['accounts'] &
    DashboardPages['accounts'] &
    Pick<AccountService, 'secondFactor'>
  readonly invitationKinds: readonly InvitationKind[]
  /** Undefined while the module that has them is off. */
  readonly transfers: Transfers | undefined
  /** Undefined while the module that has them is off. */
  readonly payouts: PayoutUndoPage['payouts'] | undefined
  /** Undefined while the module that has them is off. */
  readonly notifications: NotificationPages['notifications'] | undefined
  /** Undefined while accounts cannot use passkeys on pages of this service. */
  readonly passkeys: SecurityPages['passkeys'] | undefined
  readonly askAgain: AskAgain
  /** False when users sign in at the host, which has the pages for it. */
  readonly hasSignIn: boolean
}

/** Routes of the pages for people with an account. Only passkeys need script. */
export function accountPageRoutes(app: EepRoutes, pages: AccountPages): void {
  formRoutes(app, (scope) => {
    if (pages.hasSignIn) {
      const hasPasskeys = pages.passkeys !== undefined
      signInPages(scope, { ...pages, hasPasskeys })
      emailPages(scope, pages)
      passwordPages(scope, { ...pages, hasOtherSignIns: hasPasskeys || pages.providers.length > 0 })
    }
    verifyPages(scope, pages)
    dashboardPages(scope, pages)
    for (const kind of pages.invitationKinds) invitationPages(scope, kind, pages.ownOrigins)
    const { accounts, notifications, passkeys, payouts, ownOrigins } = pages
    if (payouts) payoutUndoPage(scope, { payouts, ownOrigins })
    if (notifications) notificationPages(scope, { accounts, notifications, ownOrigins })
    if (passkeys) securityPages(scope, { passkeys, ownOrigins })
    const { secondFactor } = accounts
    const { askAgain } = pages
    if (pages.hasSignIn && secondFactor) secondFactorPages(scope, { secondFactor, askAgain, ownOrigins })
    if (pages.transfers) transferPages(scope, { transfers: pages.transfers, askAgain, ownOrigins })
  })
}
