/** What a client of MCP keeps of its sign-in, and the address to which it sends the person. */
export interface ClientMemory {
  /** The last address to which the client sent the person. */
  authorizationUrl?: URL
  tokens?: { access_token: string; token_type: string; refresh_token?: string; scope?: string }
  client?: { client_id: string }
  /** How often the client sent the person away. */
  asked: number
}

export const CALLBACK = 'http://127.0.0.1:4711/callback'

/** The part of the sign-in that programs with a client of MCP write: both published clients have the same interface. */
export function createProvider(clientMetadataUrl?: string) {
  const memory: ClientMemory = { asked: 0 }
  let verifier = ''
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: 'Test assistant',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    state: () => 'the state',
    clientInformation: () => memory.client,
    saveClientInformation(client: { client_id: string }) {
      memory.client = client
    },
    tokens: () => memory.tokens,
    saveTokens(tokens: NonNullable<ClientMemory['tokens']>) {
      memory.tokens = tokens
    },
    redirectToAuthorization(url: URL) {
      memory.authorizationUrl = url
      memory.asked += 1
    },
    saveCodeVerifier(text: string) {
      verifier = text
    },
    codeVerifier: () => verifier,
    invalidateCredentials(kind: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
      if (kind === 'all' || kind === 'client') delete memory.client
      if (kind === 'all' || kind === 'tokens') delete memory.tokens
    },
  }
  return { memory, provider }
}
