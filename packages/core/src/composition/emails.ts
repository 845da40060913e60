import type { EmailsOf } from '../email/define-email.ts'
import type { coreModules } from '../modules/index.ts'

type CoreEmails = EmailsOf<(typeof coreModules)[number]['emails']>

/** Every kind of email of the service, and the data of its text. */
export interface EepEmails extends CoreEmails {}
