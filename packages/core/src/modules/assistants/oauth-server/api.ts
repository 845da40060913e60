import type { ServerPlugin } from '../../../http/server-plugin.ts'
import type { ConsentApi } from './authorize/api.ts'

/** The methods of `app.eep.oauthServer`. */
export interface OauthServerApi extends ConsentApi {
  /**
   * A Fastify plugin for the root of the host, when the public URL has a path: it serves the metadata documents, which clients look for
   * between the host and that path.
   *
   * @example
   * await app.register(eep, { prefix: '/eep', publicUrl: 'https://example.com/eep', ...options })
   * await app.register(app.eep.oauthServer.wellKnown)
   */
  readonly wellKnown: ServerPlugin<object>
}
