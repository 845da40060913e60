import type { Plan } from '../plan.ts'

export const ignoredFile = (): string => `# What git leaves out: packages, data, secrets and logs.
node_modules/
.data/
.env
*.log
`

export const typesFile =
  (): string => `// How TypeScript checks this project. Node runs the sources as they are, so nothing is built.
{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["src"]
}
`

export const workspaceFile =
  (): string => `# What pnpm decides here: the prebuilt binaries of argon2 need no build script, and peers are installed by name.
allowBuilds:
  argon2: false
autoInstallPeers: false
`

const INSTALL = {
  npm: 'npm ci --omit=dev',
  pnpm: 'npx --yes pnpm install --prod --frozen-lockfile',
} as const

export const dockerFile = ({ packageManager }: Pick<Plan, 'packageManager'>): string => {
  return `# The image for production: docker build -t my-service . Variables come from the platform, not from .env.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN rm -rf .env .data node_modules && ${INSTALL[packageManager]}

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /app .
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 EEP_DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --start-period=30s CMD ["node", "-e", \\
  "fetch(\`http://127.0.0.1:\${process.env.PORT}/health/ready\`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
`
}

/** How a script of \`package.json\` is run. */
export const runOf = (manager: Plan['packageManager'], script: string): string =>
  script === 'test' ? `${manager} test` : `${manager} run ${script}`

export function readmeFile(
  { rails, packageManager }: Pick<Plan, 'rails' | 'packageManager'>,
  { name }: { readonly name: string },
): string {
  const run = (script: string) => runOf(packageManager, script)
  const money =
    rails.length === 0
      ? 'It is a sandbox: everything can be bought with play money, and no money moves. To take money, set the variables of a payment method.'
      : 'Until the variables of the payment methods in `.env` are set, it is a sandbox: everything can be bought with play money.'
  return `# ${name}

A service of profiles and content that people and agents read and buy, made with [\`@eep/core\`](https://github.com/eep-service/eep#readme).

\`\`\`sh
${run('dev')}     # http://localhost:3000, restarts when a file of src changes
${run('test')}        # sells a page for test money
${run('check')}   # types
${packageManager === 'npm' ? 'npm run eep -- doctor' : 'pnpm run eep doctor'}   # checks the settings; \`add passkeys\` adds a feature
\`\`\`

The start lines name a page to buy, and the address at which you act as its owner. ${money}

| file                | what it is                                        |
| ------------------- | ------------------------------------------------- |
| \`src/host.ts\`       | what the service consists of: begin here          |
| \`src/main.ts\`       | starts the service                                |
| \`src/first-page.ts\` | what an empty embedded database begins with       |
| \`src/sale.test.ts\`  | a test that makes a sale                          |
| \`.env\`              | secrets and settings of this machine, not in git  |
| \`Dockerfile\`        | the image for production                          |
| \`package.json\`      | packages and scripts                              |

Before production, read [operations](https://github.com/eep-service/eep/blob/main/docs/operate/operations.md).
`
}
