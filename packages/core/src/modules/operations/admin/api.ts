import type { Appointee, Appointment } from './appointment.ts'

/** The methods of `app.eep.admin`. */
export interface AdminApi {
  /**
   * Makes the account of an email address an administrator, for the operator of the service. Creates the account if there
   * is none, with a verified address and without a password. Repeating it changes nothing, except that an account without a
   * password gets a new link in place of the former one.
   *
   * @throws `email_not_verified` when an existing account does not own the address, `account_banned`,
   * `deletion_scheduled`, `username_taken`, `username_reserved`, `validation_failed`, `user_not_found` when the host signs in
   * users, and what the hook `beforeRegister` throws
   */
  appoint(appointee: Appointee): Promise<Appointment>
}
