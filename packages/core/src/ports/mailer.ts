/** An email, as plain text and as simple HTML. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Further headers: `List-Unsubscribe` (RFC 8058). Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Sends email. */
export interface Mailer {
  /** Hands an email over for delivery; throws when it was not accepted. */
  send(mail: Mail): Promise<void>
  /** Deletes stored emails to an address that an account owned when it was purged or changed its address. For mailers that store email. */
  forget?(address: string): Promise<void>
  /** Throws when email cannot be sent now. Part of `/health/ready`, so it is called every few seconds. */
  ping?(): Promise<void>
  /** Releases the resources of the mailer. Called once, after background work has ended. */
  close?(): Promise<void>
}
