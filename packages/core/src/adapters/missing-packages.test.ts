import Module from 'node:module'
import { afterEach, expect, it, vi } from 'vitest'
import { vcCredentials } from './credentials.ts'
import { fileToolkit } from './file-toolkit/file-toolkit.ts'
import { shareCards } from './images/share-cards.ts'
import { sharpImages } from './images/sharp-images.ts'
import { directoryMailer } from './mailers/directory-mailer.ts'
import { smtpMailer } from './mailers/smtp-mailer.ts'
import { githubProvider } from './oauth/github-provider.ts'
import { oidcProvider } from './oauth/oidc-provider.ts'
import { passkeyToolkit } from './passkey-toolkit.ts'
import { receiptPdf } from './receipt-pdf/receipt-pdf.ts'
import { signatureToolkit } from './signature-toolkit.ts'
import { zipArchives } from './zip-archives.ts'

// Node has no public function that makes a package unavailable.
type Resolver = { _resolveFilename(request: string, ...rest: readonly unknown[]): string }
const resolver = Module as unknown as Resolver

/** Makes Node not find a package. */
function hide(name: string): void {
  const resolve = resolver._resolveFilename.bind(resolver)
  vi.spyOn(resolver, '_resolveFilename').mockImplementation((request, ...rest) => {
    if (request === name || request === `${name}/package.json`) throw new Error(`Cannot find module '${request}'`)
    return resolve(request, ...rest)
  })
}
afterEach(() => vi.restoreAllMocks())

const client = { clientId: 'id', clientSecret: 'secret' }

it.each<[string, string, () => unknown]>([
  ['smtpMailer', 'nodemailer', () => smtpMailer({ url: 'smtp://mail.example', from: 'a@mail.example' })],
  ['directoryMailer', 'nodemailer', () => directoryMailer({ directory: 'mail' })],
  ['githubProvider', 'openid-client', () => githubProvider(client)],
  ['oidcProvider', 'openid-client', () => oidcProvider({ ...client, issuer: 'https://id.example' })],
  ['passkeyToolkit', '@simplewebauthn/server', () => passkeyToolkit()],
  ['signatureToolkit', 'http-message-sig', () => signatureToolkit()],
  ['signatureToolkit', 'structured-headers', () => signatureToolkit()],
  ['zipArchives', 'yazl', () => zipArchives()],
  ['zipArchives', 'yauzl', () => zipArchives()],
  ['fileToolkit', 'music-metadata', () => fileToolkit()],
  ['vcCredentials', 'did-jwt-vc', () => vcCredentials()],
  ['sharpImages', 'sharp', () => sharpImages()],
  ['shareCards', 'sharp', () => shareCards()],
  ['shareCards', 'dejavu-fonts-ttf', () => shareCards()],
  ['receiptPdf', 'pdfkit', () => receiptPdf()],
  ['receiptPdf', 'dejavu-fonts-ttf', () => receiptPdf()],
])('%s fails when it is created if %s is not installed, with the command that installs it', (_name, needed, create) => {
  expect(create).not.toThrow()
  hide(needed)
  expect(create).toThrow(`Packages are missing. Install them with: npm install ${needed}`)
})
