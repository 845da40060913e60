import type { purchaseRecoveryEmail } from '../../modules/access/purchases/emails.ts'
import type { receiptEmail } from '../../modules/access/purchases/receipt-email.ts'
import type { subscriptionEndsEmail } from '../../modules/access/subscriptions/emails.ts'
import type {
  notificationDigestEmail,
  notificationEmail,
} from '../../modules/events/notifications/email-definitions.ts'
import type { workspaceInvitationEmail } from '../../modules/insight/workspaces/emails.ts'
import type { accountEmails } from '../../modules/people/accounts/emails.ts'
import type { secondFactorEmails } from '../../modules/people/accounts/second-factor-emails.ts'
import type { apiKeyEmails } from '../../modules/people/api-keys/emails.ts'
import type { oauthEmails } from '../../modules/people/oauth/emails.ts'
import type { passkeyEmails } from '../../modules/people/passkeys/emails.ts'
import type { teamEmails } from '../../modules/people/teams/emails.ts'
import type { walletEmails } from '../../modules/people/wallets/emails.ts'
import type { cardReceiptEmail } from '../../modules/trade/sandbox/receipt-email.ts'
import type { EmailsOf } from '../../runtime/email/define-email.ts'

/** The emails of every module of the package. */
export type CoreEmails = readonly [
  ...typeof accountEmails,
  ...typeof secondFactorEmails,
  ...typeof teamEmails,
  ...typeof apiKeyEmails,
  ...typeof oauthEmails,
  ...typeof passkeyEmails,
  ...typeof walletEmails,
  typeof subscriptionEndsEmail,
  typeof purchaseRecoveryEmail,
  typeof receiptEmail,
  typeof notificationEmail,
  typeof notificationDigestEmail,
  typeof workspaceInvitationEmail,
  typeof cardReceiptEmail,
]

/** Every kind of email of the service, and the data of its text. */
export interface EepEmails extends EmailsOf<CoreEmails> {}
