/** Files for the root of the host's site, with the routes of the listener that was registered first. */
export function createRootFiles() {
  let text: (() => string) | undefined
  return {
    /** Called when the routes of a listener are registered. */
    register(robotsTxt: () => string): void {
      text ??= robotsTxt
    },
    /** @throws Error before the service is registered on a server that is ready */
    robotsTxt(): string {
      if (text === undefined) throw new Error('Register the service on a Fastify server before reading robotsTxt()')
      return text()
    },
  }
}
