import type { coreModules } from '../../modules/index.ts'
import type { EmailsOf } from '../../runtime/email/define-email.ts'

type CoreEmails = EmailsOf<(typeof coreModules)[number]['emails']>

/** Every kind of email of the service, and the data of its text. */
export interface EepEmails extends CoreEmails {}
