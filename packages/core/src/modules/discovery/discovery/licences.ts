/** Whether the service has terms for crawlers at `/license.xml` now. */
export interface Licences {
  /** Sets what finds it out. Called when the routes of a listener are registered. */
  announce(isLicensed: () => Promise<boolean>): void
  /** Whether there are terms now. An error counts as none. */
  current(): Promise<boolean>
  /** The last result of {@link current}, which this call also renews. False before the first. */
  last(): boolean
}

/** Keeps whether the service has terms for crawlers, which a module announces that sells. */
export function createLicences(): Licences {
  let find: (() => Promise<boolean>) | undefined
  let last = false
  async function current(): Promise<boolean> {
    last = find ? await find().catch(() => false) : false
    return last
  }
  return {
    announce(isLicensed) {
      find = isLicensed
    },
    current,
    last() {
      void current()
      return last
    },
  }
}
