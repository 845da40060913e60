/** A mail as the service writes it: plain text, and the same as small HTML. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends mail. */
export interface Mailer {
  /** Hands a mail over for delivery; throws when it was not taken. */
  send(mail: Mail): Promise<void>
  /** Removes what is kept of mails to an address whose account is purged, or has another one. For mailers that keep mail. */
  forget?(address: string): Promise<void>
  /** Throws when mail cannot be handed over now. Takes part in `/health/ready`, which asks every few seconds. */
  ping?(): Promise<void>
  close?(): Promise<void>
}
