import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '../configuration-error.ts'
import { defineHostAdapter, type OAuthClient } from '../host-adapter.ts'
import { matching, oneOf, openVariable } from '../variable.ts'
import { CORE } from './service.ts'

const VARIABLE = 'EEP_OAUTH_CLIENTS'

/** Reads a list of apps. Its feature checks the members of each. */
async function readClients(path: string): Promise<readonly OAuthClient[]> {
  const refused = (problem: string, cause?: unknown) =>
    new ConfigurationError([`${VARIABLE} names ${path}, which ${problem}`], { cause })
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw refused('cannot be read', error)
  })
  try {
    const clients: unknown = JSON.parse(text)
    if (Array.isArray(clients)) return clients as readonly OAuthClient[]
  } catch (error) {
    throw refused('is not JSON', error)
  }
  throw refused('is not a list of apps')
}

/** Which assistants and other apps may connect to accounts, and how. */
export const assistantVariables = defineHostAdapter({
  name: CORE,
  prefixes: [],
  variables: {
    EEP_MCP: openVariable(oneOf('on', 'off'), 'on or off; default: on', 'off', {
      comment: 'The server for assistants (MCP), and the apps that people connect to their accounts (OAuth).',
    }),
    EEP_OAUTH_REGISTRATION: openVariable(
      oneOf('on', 'off'),
      'on or off; default: on. Off: only apps with a document at their address, and those of EEP_OAUTH_CLIENTS',
      'off',
    ),
    [VARIABLE]: openVariable(
      matching(/^.{1,4096}$/, 'is not a path'),
      'a JSON file with a list of apps that you trust: {"id", "name", "redirectUris", and "secretHash" or "jwksUri"}',
      './apps.json',
    ),
  },
  async parts({ EEP_MCP: mcp, EEP_OAUTH_REGISTRATION: registration, [VARIABLE]: path }) {
    const oauthServer = {
      ...(registration === 'off' && { registration: false }),
      ...(path !== undefined && { clients: await readClients(path) }),
    }
    return {
      mcp: mcp === 'off' ? false : undefined,
      oauthServer: Object.keys(oauthServer).length > 0 ? oauthServer : undefined,
    }
  },
})
