/** Returns the text of `robots.txt`, for a listener below a prefix or with the paths of the public URL. */
export type RobotsText = (prefix?: string | undefined) => string

/** Files for the root of the host's site, with the routes of the listener that was registered first. */
export function createRootFiles() {
  let text: RobotsText | undefined
  return {
    /** Called when the routes of a listener are registered. */
    register(robotsTxt: RobotsText): void {
      text ??= robotsTxt
    },
    /** @throws Error before the service is registered on a server that is ready */
    robotsTxt(prefix?: string | undefined): string {
      if (text === undefined) throw new Error('Register the service on a Fastify server before reading robotsTxt()')
      return text(prefix)
    },
  }
}
