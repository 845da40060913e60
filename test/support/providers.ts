import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server'

/** The claims of an issuer about the user who signs in next. */
export type Claims = Readonly<Record<string, unknown>>

/** An OpenID Connect issuer on this machine. */
export async function startIssuer() {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, 'localhost')
  let claims: Claims = {}
  let userInfo: Claims | undefined
  let token: (token: MutableToken) => void = () => {}
  const requests: string[] = []
  server.service.on('beforeTokenSigning', (made: MutableToken) => {
    Object.assign(made.payload, claims)
    token(made)
  })
  server.service.on('beforeUserinfo', (response: MutableResponse) => {
    requests.push('userinfo')
    response.body = { ...claims, ...userInfo }
  })
  return {
    url: server.issuer.url ?? '',
    service: server.service,
    /** The requests for resources other than tokens. */
    requests,
    /** Sets the user who signs in from now on, with the members that only the user info has. */
    user(of: Claims, info?: Claims) {
      claims = of
      userInfo = info
      token = () => {}
    },
    /** Changes the tokens from now on. */
    tokens(change: (token: MutableToken) => void) {
      token = change
    },
    stop: () => server.stop(),
  }
}

export interface GithubUser {
  readonly id: number
  readonly login: string
  readonly name?: string | null
  readonly emails: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[]
}

/** The endpoints of GitHub that a sign-in meets, as GitHub answers them. */
export async function startGithub(secret: string) {
  let user: GithubUser = { id: 1, login: 'octocat', emails: [] }
  let fault: 'none' | 'denied' | 'api' = 'none'
  const codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>()
  const tokens = new Map<string, GithubUser>()

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const url = new URL(request.url ?? '', 'http://localhost')
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
    }
    const form = new URLSearchParams(body)
    const holder = tokens.get(/^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')

    switch (`${request.method} ${url.pathname}`) {
      case 'GET /login/oauth/authorize': {
        const redirectUri = url.searchParams.get('redirect_uri') ?? ''
        const back = new URL(redirectUri)
        back.searchParams.set('state', url.searchParams.get('state') ?? '')
        if (fault === 'denied') {
          back.searchParams.set('error', 'access_denied')
          back.searchParams.set('error_description', 'The user has denied your application access.')
        } else {
          const code = randomUUID()
          codes.set(code, { challenge: url.searchParams.get('code_challenge') ?? '', redirectUri })
          back.searchParams.set('code', code)
        }
        response.writeHead(302, { location: back.href }).end()
        return
      }
      case 'POST /login/oauth/access_token': {
        const known = codes.get(form.get('code') ?? '')
        codes.delete(form.get('code') ?? '')
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        const isGood =
          known?.challenge === challenge &&
          known.redirectUri === form.get('redirect_uri') &&
          form.get('client_secret') === secret
        // GitHub reports this with 200.
        if (!isGood) return json(200, { error: 'bad_verification_code', error_description: 'The code is incorrect.' })
        const token = `gho_${randomUUID()}`
        tokens.set(token, user)
        return json(200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' })
      }
      case 'GET /user':
        if (!request.headers['user-agent']) return json(403, { message: 'Please include a User-Agent' })
        return holder
          ? json(200, { ...holder, emails: undefined, email: null })
          : json(401, { message: 'Bad credentials' })
      case 'GET /user/emails':
        if (fault === 'api') return json(502, { message: 'Unicorn' })
        return holder ? json(200, holder.emails) : json(401, { message: 'Bad credentials' })
      default:
        return json(404, { message: 'Not Found' })
    }
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Sets the user who signs in from now on. */
    user(next: GithubUser) {
      user = next
      fault = 'none'
    },
    /** What goes wrong from now on. */
    fail(with_: 'denied' | 'api') {
      fault = with_
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
