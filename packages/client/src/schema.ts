// Written by `npm run docs` from the OpenAPI document of the service with every module.
/** The routes of a service, by path. */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the start document; for browsers a page with new profiles */
        get: operations["getStart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the agent card of the service (A2A) */
        get: operations["getAgentCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/agent-skills/{name}/SKILL.md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the file of an agent skill */
        get: operations["getAgentSkill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/agent-skills/index.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agent skills of the service, with digests of their files */
        get: operations["listAgentSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/api-catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the API catalogue (RFC 9727) */
        get: operations["getApiCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/did.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the DID document of the service */
        get: operations["getServiceDidDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/eep.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the EEP manifest */
        get: operations["getManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/eep/agent-guide.md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the guide for agents */
        get: operations["getAgentGuide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the public keys that sign receipts */
        get: operations["getPublicKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/mcp/server-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the card of the server for assistants (MCP) */
        get: operations["getWellKnownMcpServerCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the metadata of the authorization server (RFC 8414) */
        get: operations["getOAuthServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the metadata of the service as a resource (RFC 9728) */
        get: operations["getOAuthResourceMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a public profile as Markdown, JSON or TOON; gated fields are left out, and return 402 when requested */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the agent card of a profile (A2A) */
        get: operations["getProfileAgentCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}/badge.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a badge with the name of a profile */
        get: operations["getProfileBadge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}/card.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a picture with the name of a profile for previews of links, or that of the service */
        get: operations["getProfileCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the last 1,000 public changes of a profile, newest first by default */
        get: operations["getProfileChangelog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the table of contents of a profile */
        get: operations["getTableOfContents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}/content/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a page, or the table of contents of a category; gated pages return 402 */
        get: operations["getContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}/did.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the DID document of a profile */
        get: operations["getProfileDidDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}/freshness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the time of the last change of a profile */
        get: operations["getProfileFreshness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{prefix}/{username}/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get what a profile sells, and its prices, as OpenAPI */
        get: operations["getPricedOpenApiOfProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the connected apps of the account */
        get: operations["listConnectedApps"];
        put?: never;
        post?: never;
        /** Disconnect all apps of the account */
        delete: operations["deleteConnectedApps"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/apps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change what a connected app may do */
        put: operations["updateConnectedApp"];
        post?: never;
        /** Disconnect an app */
        delete: operations["deleteConnectedApp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the invoices of the account, the latest first */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark one notification or all as read (HTML form) */
        post: operations["submitNotificationsPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/plan/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel the plan at the end of its period (HTML form) */
        post: operations["submitPlanCancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/plan/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the plan (HTML form) */
        post: operations["submitPlanChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/plan/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a cancelled plan (HTML form) */
        post: operations["submitPlanResumption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/security/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete a passkey with the password, and end all other sessions (HTML form) */
        post: operations["submitPasskeyDeletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/security/delete-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete all passkeys with the password, and end all other sessions (HTML form) */
        post: operations["submitPasskeysDeletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/security/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rename a passkey (HTML form) */
        post: operations["submitPasskeyRename"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the subscription of the account, or null */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        /** Cancel the subscription at the end of the paid period */
        delete: operations["cancelSubscription"];
        options?: never;
        head?: never;
        /** Change the plan, cancel it at the end of the period, or continue it */
        patch: operations["updateSubscription"];
        trace?: never;
    };
    "/account/subscription/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open the page of the processor where the account changes how it pays */
        post: operations["createBillingPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the actions of administrators, newest first */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/feed/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set whether a post is hidden from everyone */
        put: operations["updatePostVisibility"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the health of jobs, emails, search index and rails */
        get: operations["getServiceHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/receipts/{receiptId}/refund/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a claimed refund that no rail can prove; audited */
        post: operations["confirmRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the refunds of all sellers by their state, newest first */
        get: operations["listRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the reports of messages and posts, newest first */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a report */
        get: operations["getReport"];
        /** Set the status and note of a report */
        put: operations["updateReport"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/subscription-pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the prices of the tiers for new subscriptions */
        get: operations["getTierSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/subscription-pricing/{tier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Update the price of a tier; existing subscriptions keep theirs */
        put: operations["updateTierSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get statistics of the service */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List accounts, newest first */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an account */
        get: operations["getUser"];
        /** Update the tier, ban or administrator role of an account */
        put: operations["updateUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/posting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set whether an account may post */
        put: operations["updateUserPosting"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Disable two-factor authentication of an account, and report it to the owner by email */
        delete: operations["resetUserSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get entry points, patterns and rate limits for agents */
        get: operations["getAgentsTxt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/profiles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the reads, search hits and sales of a profile, as JSON or CSV; team only */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/profiles/{id}.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one metric of a profile as a bar chart; team only */
        get: operations["getAnalyticsChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/profiles/{id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the number of reads of a profile in the last 30 minutes; team only */
        get: operations["getLiveAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the valid API keys of the account, masked, with their usage */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key; its text is shown only once */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate an API key; `cascade` revokes the keys created with it */
        post: operations["regenerateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/card.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the picture of previews of pages that have no other one */
        get: operations["getServiceCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/editor.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the script of the editor of pages */
        get: operations["getEditorScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/icon-{size}.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the icon of the service for the home screen of a phone */
        get: operations["getIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/live.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the script that shows new sales */
        get: operations["getLiveScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/pages.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the script that pages use for passkeys and browser wallets */
        get: operations["getPageScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/reorder.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the script that orders pages */
        get: operations["getReorderScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/site.webmanifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the name, the colors and the icons of the site for browsers */
        get: operations["getSiteManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/uploads.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the script that uploads files with progress */
        get: operations["getUploadScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth.md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the guide to signing in for programs */
        get: operations["getAuthGuide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete the account: hide it now and purge it after 30 days without a sign-in */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account/delete-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the code that confirms the deletion of the account */
        post: operations["sendAccountDeletionCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change the password, end all sessions and start a new one */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a link to a new email address, soon after signing in or with the password */
        post: operations["changeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the email address of the account by the one that a token was sent to */
        post: operations["confirmEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore the former email address, and end sessions and new credentials of the account */
        post: operations["undoEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a password reset link; the response does not reveal whether the account exists */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sign-in providers that the account is linked to, oldest first */
        get: operations["listIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/identities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Unlink a sign-in provider, and end all other sessions */
        delete: operations["deleteIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with email address and password */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete a sign-in with a code from an authenticator app, or a recovery code */
        post: operations["loginWithCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End what the session cookie holds, and clear it; a bearer token stays valid */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the account of the caller */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Set the language of the emails of the account */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/auth/oauth/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Redirect to a provider to sign in, or to link it when signed in */
        get: operations["startOAuth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oauth/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return from a provider and redirect to the frontend; failures set `oauth_error` */
        get: operations["finishOAuth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the passkeys of the account, oldest first; at most 20 */
        get: operations["listPasskeys"];
        put?: never;
        /** Create a passkey for the account from the response of the browser */
        post: operations["createPasskey"];
        /** Delete all passkeys of the account, and end all other sessions */
        delete: operations["deletePasskeys"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a passkey, confirmed by the password or a passkey, and end all other sessions */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        /** Change the name of a passkey of the account */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/auth/passkeys/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey */
        post: operations["loginWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create the WebAuthn options for signing in with a passkey */
        post: operations["createPasskeySignInOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/prove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm with a passkey that the caller owns the account, for ten minutes */
        post: operations["proveOwnerWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/registration/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create the options for a new passkey (WebAuthn) */
        post: operations["createPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/prove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm with a password or code that the caller owns the account, for ten minutes */
        post: operations["proveOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an account with a person profile, and sign in */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resend the verification email, at most once a minute */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with an emailed token, end all sessions, and optionally delete all passkeys */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether two-factor authentication is enabled */
        get: operations["getSecondFactor"];
        put?: never;
        /** Create a key for an authenticator app (TOTP); it takes effect when a code confirms it */
        post: operations["createSecondFactor"];
        /** Disable two-factor authentication with a code */
        delete: operations["deleteSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm the key with a code and the password, end all other sessions, and get recovery codes */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sessions of the account, newest first */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** End all sessions of the account except the current one */
        delete: operations["deleteOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session of the account */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/siwe/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a nonce for a message that links a wallet */
        post: operations["createWalletNonce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/siwe/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Link the wallet that signed a message (EIP-4361) */
        post: operations["linkWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/siwe/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the linked wallets of the caller, oldest first */
        get: operations["listWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/siwe/wallets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Unlink a wallet; `force` disables its payout addresses first */
        delete: operations["unlinkWallet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify an email address with an emailed token; in a session of the account, also prove that it owns the address */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/check-username": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether a username is available */
        get: operations["checkUsername"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/start-trial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a checkout page for a subscription, with a trial unless the account had one */
        post: operations["createSubscriptionCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/start-yearly-usdc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a signed price in USDC for a year of a tier, valid for some minutes */
        post: operations["createYearlyUsdcOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/usdc-receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay for a year of a tier; repeating it charges nothing */
        post: operations["payYearlyUsdc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{prefix}/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether the acting profile follows a profile */
        get: operations["getConnection"];
        put?: never;
        /** Follow a profile with the acting profile */
        post: operations["followProfile"];
        /** Unfollow a profile */
        delete: operations["unfollowProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/followers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the followers of the acting profile, newest first */
        get: operations["listFollowers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the profiles that the acting profile follows, newest first */
        get: operations["listFollowing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Follow or unfollow a profile (HTML form) */
        post: operations["submitFollow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/content/pages/{pageId}/reactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the like and bookmark counts of a page, and those of the caller */
        get: operations["getPageReactions"];
        put?: never;
        /** Toggle a like or bookmark of a page */
        post: operations["togglePageReaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/content/reactions/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Like or bookmark a page, or take it back (HTML form) */
        post: operations["submitPageReaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/content/reactions/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the pages that the caller liked or bookmarked, newest first, by page number */
        get: operations["listOwnReactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Extract the text of a document in the background */
        post: operations["convertFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/language": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the language of emails (HTML form) */
        post: operations["submitAccountLanguage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the profiles of the caller and of its teams with their counts, its own first */
        get: operations["listOwnProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resend the verification email (HTML form) */
        post: operations["submitResendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/claims/{claim_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw a claim that an agent presented */
        delete: operations["withdrawClaim"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/claims/{claim_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the status of the withdrawal of a claim, which is completed for every claim */
        get: operations["getClaimStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the capabilities of the service; for browsers below new profiles */
        get: operations["getCapabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovery/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what clients of x402 can buy */
        get: operations["listPricedResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the API reference; for browsers a page with every operation */
        get: operations["getReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the description of streams and events (AsyncAPI 3) */
        get: operations["getAsyncApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all error codes */
        get: operations["listErrorCodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/errors/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an error code */
        get: operations["getErrorCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the OpenAPI 3.1 document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/operations/{operationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the reference of an operation: its parameters, body, responses and an example */
        get: operations["getOperationReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the payment guide, step by step */
        get: operations["getPaymentGuide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/e/{username}/event.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the calendar file of an event (RFC 5545) */
        get: operations["getEventCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/agreements/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept a document that a gate requires (HTML form) */
        post: operations["submitAgreement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the audit log of a profile */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/audit-log/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verify the hashes and signatures of the audit log of a profile */
        get: operations["verifyAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/capabilities/{did}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Query the capabilities of an entity: its traits and what its tiers open, in pages */
        get: operations["getEntityCapabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the negotiations of the acting profile or the signing agent, newest first */
        get: operations["listNegotiations"];
        put?: never;
        /** Create a negotiation with an offer, as the acting profile or the signing agent */
        post: operations["createNegotiation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a negotiation and its history, as one of its two sides */
        get: operations["getNegotiation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept the current offer, or continue a disputed deal */
        post: operations["acceptNegotiation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete the deal, also from a dispute */
        post: operations["completeNegotiation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations/{id}/counter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Counter the current offer */
        post: operations["counterNegotiation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a dispute about the deal */
        post: operations["disputeNegotiation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Expire your own offer, or one that is overdue */
        post: operations["expireNegotiation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations/{id}/invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request payment, as the seller */
        post: operations["sendNegotiationInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit the proof of payment, as the buyer */
        post: operations["sendNegotiationReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/commerce/negotiations/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject or withdraw the current offer, or cancel a disputed deal */
        post: operations["rejectNegotiation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/content/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a page by its path, or by a DID and a resource, with refusals in the closed formats of EEP */
        get: operations["getEepContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/delegation/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify a delegation, and whether it permits a use; 403 when it does not */
        post: operations["verifyDelegation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List past events, oldest first */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/events/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the types of events, each with the JSON Schema of its data */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/events/types/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the JSON Schema of the data of one type of events */
        get: operations["getEventSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/gates/{did}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the gate configuration of an entity */
        get: operations["getGates"];
        /** Replace the gate configuration of an entity; `If-Match` prevents lost updates */
        put: operations["replaceGates"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/gates/{did}/endpoints/{resource}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the gate of a route of the host that is sold at a fixed price */
        get: operations["getEndpointGate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/gates/{did}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain the access decision for a resource, by audience and for an optional payer */
        get: operations["explainAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/gates/{did}/presets/crawlers_pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the gate configuration with a price for programs */
        post: operations["previewCrawlerPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/gates/{did}/sessions/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke the sessions of an agent at the gate of an entity */
        post: operations["revokeSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/gates/{did}/verify-proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify proofs for a resource; a signing agent gets a session for an hour */
        post: operations["verifyProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/gates/{did}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the stored versions of a gate configuration, newest first */
        get: operations["listGateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/gates/{did}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a version of a gate configuration */
        get: operations["getGateVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a signed price for a page or for everything below a wildcard, valid for a few minutes */
        post: operations["createPaymentChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the receipts of the caller or the signing agent, newest first */
        get: operations["listReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/receipts/{receiptId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a receipt, as its payer or its seller */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/receipts/{receiptId}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a receipt as PDF */
        get: operations["getReceiptPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/receipts/{receiptId}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refund a sale and revoke its entitlements; 202 while the refund is pending */
        post: operations["refundReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Email a link that recovers purchases */
        post: operations["requestPurchaseRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/recovery/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Use an emailed recovery link: set the payer cookie and list the purchases; browsers are sent to the list */
        post: operations["recoverPurchases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/recovery/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Recover the purchases of a wallet with a message that it signed (EIP-4361) */
        post: operations["recoverPurchasesOfWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/recovery/wallet/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a nonce for the message with which a wallet recovers its purchases */
        post: operations["createPurchaseRecoveryNonce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sales of a profile or of all own profiles, newest first, or their sums by day */
        get: operations["listSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/sales.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the sales of a profile as CSV */
        get: operations["exportSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/sales/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the totals of sales, refunds and commissions, by rail and asset */
        get: operations["getSalesReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/stripe/checkout-human": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a checkout page for a person; not configured on this service */
        post: operations["createStripeCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/stripe/mpp/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay for a page with a machine-payment token; not configured on this service */
        post: operations["mppSettle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/x402/payment-required": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the offers of the 402 for a page; prefer requesting the page */
        post: operations["getPaymentOffers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/payment/x402/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Settle a payment for an offer of this service */
        post: operations["payForResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/pulse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open a WebSocket for events and deals; see /docs/asyncapi.json */
        get: operations["openPulse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/services/{did}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the services of an entity */
        get: operations["listServices"];
        put?: never;
        /** Create a service */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/services/{did}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace a service */
        put: operations["replaceService"];
        post?: never;
        /** Delete a service and its reviews */
        delete: operations["deleteService"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/services/{did}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the reviews of the services of an entity, newest first */
        get: operations["listServiceReviews"];
        put?: never;
        /** Create a review of a service, once for each completed negotiation */
        post: operations["createServiceReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/sessions/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Renew the session of a signing agent, sent as `Authorization: EEP-Session` */
        post: operations["renewSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/sessions/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke all sessions of the signing agent at this gate */
        post: operations["endSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow public events and events of the caller and its teams (server-sent events) */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Subscribe a receiver to events of a profile, or renew the subscription */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscribe/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a subscription with the state of its deliveries */
        get: operations["getWebhookAtOldAddress"];
        put?: never;
        post?: never;
        /** Cancel a subscription, and delete its secret */
        delete: operations["cancelWebhookAtOldAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your subscriptions, newest first */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a subscription with the state of its deliveries */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Cancel a subscription, and delete its secret */
        delete: operations["cancelWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscriptions/{id}/delivery-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the delivery attempts of the last 30 days, newest first */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscriptions/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause deliveries, and queue events until they are resumed */
        post: operations["pauseWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscriptions/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver events again under the same ids */
        post: operations["redeliverWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscriptions/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver all stored events since a given time */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscriptions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume deliveries, starting with the queued events */
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscriptions/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the secret; both secrets sign for 24 hours */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/subscriptions/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event to the receiver */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/trust-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether an agent is known to the service */
        get: operations["getTrustStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/eep/trust/graduate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm that an agent is known to the service because it has paid */
        post: operations["graduateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a new email address with an emailed token in a session (HTML form) */
        post: operations["submitEmailChangePage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore the former email address with an emailed token (HTML form) */
        post: operations["submitEmailUndoPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the exports that the caller requested, newest first */
        get: operations["listExports"];
        put?: never;
        /** Export a profile or the whole account in the background */
        post: operations["createExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/{jobId}/{blob}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download an export, or a byte range of it, from its signed address */
        get: operations["downloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/favicon.ico": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the icon of the site, or a redirect to the logo of the host */
        get: operations["getFavicon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the posts of all public profiles, newest first */
        get: operations["listPosts"];
        put?: never;
        /** Create a post as the acting profile */
        post: operations["createPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a post as a member of the team that posted it, or as an administrator */
        delete: operations["deletePost"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/{id}/reactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Like a post; 200 if the caller already likes it */
        post: operations["likePost"];
        /** Remove the like of the caller from a post */
        delete: operations["unlikePost"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report a post; 200 if the caller has an open report about it */
        post: operations["reportPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/{prefix}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the posts of a profile, newest first */
        get: operations["listProfilePosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the posts of the profiles that the acting profile follows, newest first */
        get: operations["listFollowingPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/hashtags/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the posts with a hashtag, newest first */
        get: operations["listHashtagPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/likes/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Like a post, or take it back (HTML form) */
        post: operations["submitPostLike"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/posts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a post */
        get: operations["getPost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/posts/{id}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the replies to a post, newest first */
        get: operations["listReplies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/posts/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a post, or reply to one (HTML form) */
        post: operations["submitPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload files to a profile; several files return `{files: […]}` */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{fileId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file for display in a browser */
        get: operations["getFileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file or a byte range of it */
        get: operations["getFile"];
        put?: never;
        post?: never;
        /** Delete a file as the owner of its profile */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{id}/large": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an image for a wide place on a page, at most 1600 pixels wide where the service draws it */
        get: operations["getLargeImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{id}/markdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the text of a document as Markdown, plain text, HTML, JSON or TOON */
        get: operations["getFileText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{id}/small": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an image for a narrow place on a page, at most 400 pixels wide where the service draws it */
        get: operations["getSmallImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/list/{prefix}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files of a profile as its owner, newest first */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a password reset link (HTML form); does not reveal whether the account exists */
        post: operations["submitForgotPasswordPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process is alive */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the service can serve requests */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload an export, and import it as a new profile in the background */
        post: operations["importProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Use the archive that a dry run kept for an import */
        post: operations["importCheckedArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/insights/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get which agents read, searched or were refused, with suggestions; team only */
        get: operations["getAgentInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the jobs of the caller, newest first */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a job with its progress and result */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /** Cancel a job */
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llms-full.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the profiles with their public text for language models */
        get: operations["getLlmsFullTxt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llms.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the service and its profiles for language models */
        get: operations["getLlmsTxt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in (HTML form) */
        post: operations["submitLoginPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete a sign-in with a code (HTML form) */
        post: operations["submitLoginCodePage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the current session and clear its cookie (HTML form) */
        post: operations["submitLogoutPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the categories of a profile as a tree with page counts */
        get: operations["listCategories"];
        put?: never;
        /** Create a category */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a category */
        get: operations["getCategory"];
        /** Update a category; its content moves with it */
        put: operations["updateCategory"];
        post?: never;
        /** Delete a category; `cascade` deletes its content too */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the customers of a profile by their latest purchase */
        get: operations["listCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/default-categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List suggested categories for a profile type, without creating them */
        get: operations["listDefaultCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/entitlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the entitlements of a profile, newest first */
        get: operations["listEntitlements"];
        put?: never;
        /** Grant a tier to a payer, an account or an email address without a payment */
        post: operations["grantEntitlement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/entitlements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an entitlement */
        delete: operations["revokeEntitlement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files of a profile as a member of its team, newest first */
        get: operations["listManagedFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a file as an editor of its profile */
        delete: operations["deleteManagedFile"];
        options?: never;
        head?: never;
        /** Rename a file, or describe what an image shows, as an editor of its profile */
        patch: operations["updateManagedFile"];
        trace?: never;
    };
    "/manage/files/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace the content of a file by one of the same kind; its id and gates stay */
        put: operations["replaceFileContent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the limits and usage of the account */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the pages of a profile in any status */
        get: operations["listPages"];
        put?: never;
        /** Create a page */
        post: operations["createPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a page */
        get: operations["getPage"];
        /** Update fields of a page. Each save is a version; with `autosave` those of one author within five minutes are one; `If-Match` prevents lost updates */
        put: operations["updatePage"];
        post?: never;
        /** Delete a page and its versions */
        delete: operations["deletePage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages/{id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the draft of a published page */
        get: operations["getPageDraft"];
        /** Update or create the draft of a published page */
        put: operations["savePageDraft"];
        post?: never;
        /** Delete the draft of a published page */
        delete: operations["deletePageDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages/{id}/draft/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish the draft of a page as its next version, now or at `publish_at` */
        post: operations["publishPageDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages/{id}/preview-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the preview links of a page, newest first; at most 20 */
        get: operations["listPreviewLinks"];
        put?: never;
        /** Create a link with which anyone can read a draft for seven days */
        post: operations["createPreviewLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages/{id}/preview-links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a preview link of a page */
        delete: operations["deletePreviewLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a page, newest first */
        get: operations["listPageVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a version of a page */
        get: operations["getPageVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages/{id}/versions/{version}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the diff of a version against the previous one, or against `from` */
        get: operations["comparePageVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/pages/{id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a version of a page as its newest version */
        post: operations["restorePageVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the payout addresses of the caller, oldest first */
        get: operations["listPayouts"];
        put?: never;
        /** Set a linked wallet as the payout address of its network */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a payout address; sales are then paid to the platform */
        delete: operations["deletePayout"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/payouts/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore the former payout wallets, and end sessions and new credentials */
        post: operations["undoPayoutChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a text as a page would show it */
        post: operations["previewText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/prices/{resource}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the price of a resource, with the `ETag` of the gate */
        get: operations["getPrice"];
        /** Set the price of a resource in a separate tier; `If-Match` is that of the gate */
        put: operations["setPrice"];
        post?: never;
        /** Remove the price of a resource and no other tier */
        delete: operations["deletePrice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the acting profile: the person of the account, or the one in X-Active-Profile-Id */
        get: operations["getActiveProfile"];
        /** Update the acting profile; fields that cannot be changed here are ignored */
        put: operations["updateActiveProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/profiles/{id}/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get which connected apps reach a profile */
        get: operations["getProfileApps"];
        /** Set which connected apps reach a profile */
        put: operations["setProfileApps"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reorder all pages or all categories of one place */
        post: operations["reorderContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/slug-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview the slug of a title */
        get: operations["previewSlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message of MCP */
        post: operations["sendMcpMessage"];
        /** End a session of MCP */
        delete: operations["endMcpSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message of MCP, signed in */
        post: operations["sendMcpMessageOfAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/server-card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the card of the server for assistants (MCP) */
        get: operations["getServerCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a transcript of a recording or video in the background */
        post: operations["transcribeMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream a recording or video, or a byte range of it */
        get: operations["getMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{fileId}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the transcript of a recording or video as JSON, Markdown or WebVTT */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the memory sessions of a profile that have not expired, newest first */
        get: operations["listMemorySessions"];
        put?: never;
        /** Create a memory session for a profile */
        post: operations["createMemorySession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a memory session */
        get: operations["getMemorySession"];
        put?: never;
        post?: never;
        /** Delete a memory session with its entries */
        delete: operations["deleteMemorySession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/sessions/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the entries of a memory session, newest first */
        get: operations["listMemoryEntries"];
        put?: never;
        /** Create an entry, or up to 100 entries in one transaction */
        post: operations["addMemoryEntries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/sessions/{id}/entries/{entryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an entry */
        delete: operations["deleteMemoryEntry"];
        options?: never;
        head?: never;
        /** Change fields of an entry */
        patch: operations["updateMemoryEntry"];
        trace?: never;
    };
    "/memory/sessions/{id}/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the entries that are most relevant to a query, within a token budget */
        post: operations["recallMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/sessions/{id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Search the entries of a memory session */
        post: operations["searchMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/sessions/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a summary of the newest entries of a memory session */
        post: operations["summarizeMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/blocks/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Block or unblock the other profile of a conversation (HTML form) */
        post: operations["submitBlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the conversations of the acting profile, latest message first */
        get: operations["listConversations"];
        put?: never;
        /** Send a message to a profile */
        post: operations["openConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/conversations/{id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Block the other profile of a conversation */
        post: operations["blockParticipant"];
        /** Unblock the other profile of a conversation */
        delete: operations["unblockParticipant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/conversations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a conversation */
        get: operations["listMessages"];
        put?: never;
        /** Send a message in a conversation */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/conversations/{id}/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete the text of a message that the caller sent in the last 24 hours */
        delete: operations["deleteMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/conversations/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark a conversation as read up to a message */
        post: operations["markConversationRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/conversations/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report a conversation or a message in it */
        post: operations["reportConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message to a profile (HTML form) */
        post: operations["submitNewMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/threads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message in a conversation (HTML form) */
        post: operations["submitMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the notifications of the active profile, newest first */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the notification preferences of the account */
        get: operations["getNotificationPreferences"];
        /** Change notification preferences of the account */
        put: operations["setNotificationPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark all or some notifications of the active profile as read */
        post: operations["markNotificationsRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unsubscribe with the link of an email, without signing in (RFC 8058) */
        post: operations["unsubscribeFromEmails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/device_authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start the connection of a device without a browser */
        post: operations["createOAuthDeviceCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register an app, without storing it */
        post: operations["registerOAuthClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a token of an app */
        post: operations["revokeOAuthToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange a code, refresh token or device code for tokens */
        post: operations["createOAuthTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get what is for sale, and its prices, as OpenAPI */
        get: operations["getPricedOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/opensearch.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the OpenSearch 1.1 description */
        get: operations["getOpenSearchDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore the former payout wallets with an emailed token (HTML form) */
        post: operations["submitPayoutUndoPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a profile */
        post: operations["createProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{id}/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the traits of a profile; gated traits return 402 */
        get: operations["getProfileCapabilities"];
        /** Replace the traits of a profile */
        put: operations["replaceProfileCapabilities"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{id}/completion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the missing parts of a profile of the caller */
        get: operations["getProfileCompletion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{id}/smart-sections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the sections of a profile for types of agents */
        get: operations["getSmartSections"];
        /** Replace the sections of a profile for types of agents */
        put: operations["replaceSmartSections"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{id}/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the team of a profile; owner and admins also see open invitations */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{id}/team/{memberId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Update the role of a member */
        put: operations["updateTeamMember"];
        post?: never;
        /** Remove a member from a team, or leave it */
        delete: operations["removeTeamMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{id}/team/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Invite a person by email address or username for seven days */
        post: operations["createTeamInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{id}/team/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation */
        delete: operations["deleteTeamInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{id}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Offer a profile to another account, for seven days */
        post: operations["createTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{id}/visibility": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the visibility of a profile; team only */
        get: operations["getProfileVisibility"];
        /** Set the visibility of a profile: public, unlisted or private */
        put: operations["updateProfileVisibility"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{prefix}/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a profile as JSON; its owner also sees its email address */
        get: operations["getProfileRecord"];
        /** Update fields of a profile and members of `type_data`; its owner may rename it */
        put: operations["updateProfile"];
        post?: never;
        /** Delete a profile permanently */
        delete: operations["deleteProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/purchases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the purchases of the caller, and of the payer that the signed cookie proves, newest first */
        get: operations["listPurchases"];
        put?: never;
        /** Email a recovery link (HTML form); does not reveal whether purchases exist */
        post: operations["submitPurchasesPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/purchases/{receiptId}/receipt.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the receipt of a purchase as PDF, for the person who paid */
        get: operations["getPurchaseReceiptPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an account and sign in (HTML form) */
        post: operations["submitRegisterPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report a post or a conversation (HTML form) */
        post: operations["submitReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with an emailed token, and end all sessions (HTML form) */
        post: operations["submitResetPasswordPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Resolve the DID of a profile or of the service, with metadata */
        get: operations["resolveDid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/robots.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the rules for crawlers */
        get: operations["getRobotsTxt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/checkout/{checkoutId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay with a test card, decline it, leave the outcome unknown, or cancel (HTML form) */
        post: operations["submitSandboxCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move the clock of plans and ends of access by a day or a month; needs the key of the sandbox */
        post: operations["moveSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/faucet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fill a wallet up to 1,000 test USDC, which is worth nothing */
        post: operations["fillSandboxWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payment-actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decide, refund or dispute a payment by test card; needs the key of the sandbox */
        post: operations["decideSandboxPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign the browser in as the owner of the demo, a new buyer or an administrator; needs the key of the sandbox */
        post: operations["continueAsSandboxPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/plan-actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the period of a plan, or let its next payment fail; needs the key of the sandbox */
        post: operations["changeSandboxPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a token that pays once by test card, for an agent; no money moves */
        post: operations["createSandboxToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the test wallet of the browser and its balance, or null */
        get: operations["getTestWallet"];
        put?: never;
        /** Give the browser a test wallet with 1,000 test USDC, unless it has one */
        post: operations["openTestWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/wallet-refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give the money of a sale back that was paid with a test wallet; needs the key of the sandbox */
        post: operations["refundSandboxSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/wallet.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the script with which pages offer the test wallet */
        get: operations["getTestWalletScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/wallet/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign a message of this service (EIP-4361) with the test wallet of the browser */
        post: operations["signTestMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/wallet/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign a payment in test USDC (EIP-3009) with the test wallet of the browser */
        post: operations["signTestTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scanner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Scan a site for agent readiness in the background */
        post: operations["scanSite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scanner/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a site scan with its score and checks; anyone who has its id can read it */
        get: operations["getSiteScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scanner/{id}/badge.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a badge with the grade and score of a site scan */
        get: operations["getSiteScanBadge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scanner/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the rules of site scans with their weights, and the name of the scanner in robots.txt */
        get: operations["listSiteRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the JSON Schemas of the profile types */
        get: operations["listProfileSchemas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/profiles/{type}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the JSON Schema of the `type_data` of this type */
        get: operations["getProfileSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search profiles, pages, posts and files */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List at most eight titles that complete a query */
        get: operations["suggestSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sitemap-pages-{part}.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a part of the sitemap of pages */
        get: operations["getPagesSitemap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sitemap-profiles-{part}.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a part of the sitemap of profiles */
        get: operations["getProfilesSitemap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sitemap-site.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the sitemap of the service documents */
        get: operations["getSiteSitemap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sitemap.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the sitemap of all public URLs, or the index of its parts */
        get: operations["getSitemap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/signals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow public events (server-sent events) */
        get: operations["streamPublicEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/signals/following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow the profiles that the acting profile follows, and its own team (server-sent events) */
        get: operations["streamFollowedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stripe/subscription/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Receive signed webhooks of stripe about subscriptions */
        post: operations["receiveStripeSubscriptionWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept or decline an invitation to a team (HTML form) */
        post: operations["submitTeamInvitationPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the open invitations of the caller and its verified email address, oldest first */
        get: operations["listTeamInvites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/invites/{token}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation and join the team */
        post: operations["acceptTeamInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/invites/{token}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decline an invitation */
        post: operations["rejectTeamInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tiers with their limits, commissions and prices */
        get: operations["listTiers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the transfers from and to the caller in any state, newest first */
        get: operations["listTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancel a transfer */
        delete: operations["cancelTransfer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfers/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept a transfer: become the owner; the previous owner becomes an editor */
        post: operations["acceptTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfers/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decline a transfer */
        post: operations["rejectTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trust/{prefix}/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the trust score of a profile and its signals */
        get: operations["getProfileTrust"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify an email address with an emailed token, in a session or with the password of the account, or take it over (HTML form) */
        post: operations["submitVerifyPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspaces in which the caller has a role, oldest first */
        get: operations["listWorkspaces"];
        put?: never;
        /** Create a private workspace that the caller owns */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a workspace */
        get: operations["getWorkspace"];
        /** Update the name, slug or description of a workspace; only owners change the slug */
        put: operations["updateWorkspace"];
        post?: never;
        /** Delete a workspace with everything in it */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the activity of a workspace, newest first; the last 1,000 changes are kept */
        get: operations["listWorkspaceActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the documents of a workspace, the top level first, then by parent and position */
        get: operations["listDocuments"];
        put?: never;
        /** Create a document in a workspace */
        post: operations["createDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/documents/{docId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a document and the pages published from it */
        get: operations["getDocument"];
        /** Update or move a document. Each save is a version; with `autosave` those of one author within five minutes are one; `If-Match` prevents lost updates */
        put: operations["updateDocument"];
        post?: never;
        /** Delete a document; `cascade` also deletes those below it */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/documents/{docId}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the comments on a document, oldest first */
        get: operations["listDocumentComments"];
        put?: never;
        /** Create a comment on a document */
        post: operations["createDocumentComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/documents/{docId}/comments/{commentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a comment; admins and owners can also delete those of others */
        delete: operations["deleteDocumentComment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/documents/{docId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish a document as a page of a profile, or update that page; requires permission to publish in both */
        post: operations["publishDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/documents/{docId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a document, newest first */
        get: operations["listDocumentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/documents/{docId}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a version of a document */
        get: operations["getDocumentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/documents/{docId}/versions/{version}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the diff of a version against the previous one, or against `from` */
        get: operations["compareDocumentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/documents/{docId}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a version of a document as its newest version */
        post: operations["restoreDocumentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the open invitations to a workspace, oldest first; requires permission to invite */
        get: operations["listWorkspaceInvites"];
        put?: never;
        /** Invite a person by email address or username for seven days */
        post: operations["createWorkspaceInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation to a workspace */
        delete: operations["deleteWorkspaceInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members of a workspace, oldest first */
        get: operations["listWorkspaceMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/members/{memberId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Update the role of a member; only owners make and change owners */
        put: operations["updateWorkspaceMember"];
        post?: never;
        /** Remove a member from a workspace, or leave it */
        delete: operations["removeWorkspaceMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search the documents of a workspace */
        get: operations["searchWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept or decline an invitation to a workspace (HTML form) */
        post: operations["submitWorkspaceInvitationPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the open invitations of the caller to workspaces, oldest first */
        get: operations["listMyWorkspaceInvites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/invites/{token}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation and join the workspace */
        post: operations["acceptWorkspaceInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/invites/{token}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decline an invitation to a workspace */
        post: operations["rejectWorkspaceInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ws/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open a WebSocket for messages, with a session; see /docs/asyncapi.json */
        get: operations["openMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
/** The records that routes take and return, in `schemas`. */
export interface components {
    schemas: {
        AccessExplanation: {
            /** @description The decision for each audience, without other proofs, entitlements or payments */
            audiences: {
                [key: string]: {
                    granted: boolean;
                    price: {
                        amount: string;
                        currency: string;
                        /** @enum {string} */
                        per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
                    } | null;
                    tier: string | null;
                };
            };
            default_tier: {
                pattern: string | null;
                score: number;
                tier: string;
            };
            reason: string;
            resource: string;
            /** @enum {string} */
            state: "open" | "closed";
            tiers: {
                label?: string;
                /** @enum {string} */
                opens_by: "payment" | "proof" | "nothing";
                pattern: string;
                /** @description Whether each payment method takes the price of the tier; absent without a price */
                rails?: components["schemas"]["RailVerdict"][];
                requirements: {
                    requirement: {
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                    verifiable: boolean;
                }[];
                score: number;
                tier: string;
            }[];
            visitor: {
                granted: boolean;
                tier: string | null;
                unmet_requirements: ({
                    type: string;
                } & {
                    [key: string]: unknown;
                })[];
            };
        };
        Account: {
            /** @description The profile that acts when a request names none */
            active_profile_id: number | null;
            /** Format: date-time */
            created_at: string;
            deletion_scheduled_at: string | null;
            email: string;
            /** @description Whether the account proved in a session or with its password that it reads the address */
            email_owned: boolean;
            email_verified: boolean;
            full_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description Left out for API keys */
            isAdmin?: boolean;
            /**
             * @description The language of emails, as BCP 47; null for the language of the service
             * @example de
             */
            language: string | null;
            /** @description Profiles that it owns, then those it is a member of, each oldest first; at most 100 */
            profiles: {
                id: number;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                /** @enum {string} */
                role: "owner" | "admin" | "editor" | "viewer";
                username: string;
            }[];
            /** @enum {string} */
            tier: "community" | "pro" | "team";
            username: string;
        };
        AccountDeletion: {
            /**
             * Format: date-time
             * @description When the account is purged, unless it signs in before
             */
            deletion_scheduled_at: string;
            /** @constant */
            success: true;
        };
        AccountSession: {
            /** Format: date-time */
            created_at: string;
            /** @description Whether this request uses the session */
            current: boolean;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description Accurate to five minutes
             */
            last_used_at: string;
            /**
             * @description The client that signed in, summarized
             * @example Firefox on Linux
             */
            user_agent: string | null;
            /** @description Its tokens that are valid: that of the cookie ends with a logout, the bearer token does not */
            uses: ("cookie" | "bearer")[];
        };
        AccountSessionList: {
            data: components["schemas"]["AccountSession"][];
            pagination: components["schemas"]["Pagination"];
        };
        ActingApp: {
            host: string | null;
            name: string;
        };
        AddedMemoryEntries: components["schemas"]["MemoryEntry"] | {
            data: components["schemas"]["MemoryEntry"][];
        };
        AdminAccount: {
            banned_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description When the account is purged, unless it signs in before; 1970-01-01T00:00:00.000Z while its purge runs */
            deletion_scheduled_at: string | null;
            email: string;
            email_verified: boolean;
            full_name: string | null;
            granted_tier: ("community" | "pro" | "team") | null;
            /** Format: uuid */
            id: string;
            is_admin: boolean;
            subscription: {
                current_period_end: string | null;
                processor: string;
                status: string;
                /** @enum {string} */
                tier: "community" | "pro" | "team";
            } | null;
            /** @enum {string} */
            tier: "community" | "pro" | "team";
            username: string;
        };
        AdminAccountList: {
            data: components["schemas"]["AdminAccount"][];
            pagination: components["schemas"]["Pagination"];
        };
        AdminAuditEntry: {
            action: string;
            actor_account_id: string | null;
            after: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            at: string;
            before: {
                [key: string]: unknown;
            };
            id: number;
            target: string;
        };
        AdminAuditEntryList: {
            data: components["schemas"]["AdminAuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        AgentCard: {
            description: string;
            name: string;
            protocolVersion: string;
            skills: ({
                description: string;
                id: string;
                name: string;
                tags: string[];
            } & {
                [key: string]: unknown;
            })[];
            /** Format: uri */
            url: string;
            version: string;
            "x-eep": {
                source_did: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        AgentGraduation: {
            agent_did: string;
            /** @constant */
            ok: true;
            /** @constant */
            trust_state: "standard";
        };
        AgentGuide: {
            markdown: string;
            title: string;
        };
        AgentSkillsIndex: {
            /** Format: uri */
            $schema: string;
            skills: {
                description: string;
                /** @description `sha256:` and the hexadecimal digest of the file */
                digest: string;
                name: string;
                /** @constant */
                type: "skill-md";
                /** Format: uri */
                url: string;
            }[];
        };
        AllPricing: {
            tiers: components["schemas"]["Pricing"][];
        };
        Analytics: {
            channels?: {
                /** @description `http`, or `mcp` for reads through the MCP server */
                channel: string;
                count: number;
            }[];
            countries?: {
                count: number;
                country: string;
            }[];
            formats?: {
                count: number;
                format: string;
            }[];
            /** Format: date-time */
            from: string;
            /** @enum {string} */
            interval: "hour" | "day" | "week" | "month";
            pages?: {
                count: number;
                /** @description Below the profile; `/` is the profile itself */
                path: string;
            }[];
            paywalls?: {
                count: number;
                path: string;
            }[];
            profile_id: number;
            referrers?: {
                count: number;
                host: string;
            }[];
            search_terms?: {
                count: number;
                query: string;
            }[];
            series: {
                /** Format: date-time */
                at: string;
                /** @description The number of 402 responses */
                challenges?: number;
                /** @description Pages for payment that were opened, and requests that presented a payment */
                checkouts?: number;
                clients?: {
                    agent: number;
                    bot: number;
                    human: number;
                };
                /** @description Followers that were added in the interval and still follow */
                followers?: number;
                payments?: number;
                /** @description Null for roles that may not read payments */
                revenue?: {
                    asset: string;
                    currency: string;
                    /** @description An integer of the smallest unit */
                    gross: string;
                    network: string;
                    rail: string;
                    sales: number;
                }[] | null;
                views?: number;
                /** @description Each visitor is counted once an hour in figures by hour, otherwise once a day */
                visitors?: number;
            }[];
            /** Format: date-time */
            to: string;
            totals: {
                all_followers?: number;
                /** @description The number of 402 responses */
                challenges?: number;
                /** @description Pages for payment that were opened, and requests that presented a payment */
                checkouts?: number;
                clients?: {
                    agent: number;
                    bot: number;
                    human: number;
                };
                /** @description Payments divided by 402 responses; null without a 402 */
                conversion?: number | null;
                /** @description Followers that were added in the interval and still follow */
                followers?: number;
                payments?: number;
                /** @description Null for roles that may not read payments */
                revenue?: {
                    asset: string;
                    currency: string;
                    /** @description An integer of the smallest unit */
                    gross: string;
                    network: string;
                    rail: string;
                    sales: number;
                }[] | null;
                views?: number;
                /** @description Each visitor is counted once an hour in figures by hour, otherwise once a day */
                visitors?: number;
            };
        };
        ApiCatalog: {
            linkset: ({
                /** Format: uri */
                anchor: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        ApiKeyList: {
            data: {
                /** Format: date-time */
                created_at: string;
                expires_at: string | null;
                id: number;
                last_used_at: string | null;
                /** @example eep_abcd…wxyz */
                masked: string;
                name: string;
                /** @constant */
                prefix: "eep_";
                profile_id: number | null;
                scopes: string[];
                usage: {
                    last_24h: number;
                    last_30d: number;
                    total: number;
                };
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        ApiReference: {
            documents: {
                rel: string;
                title: string;
                /** Format: uri */
                url: string;
            }[];
            title: string;
        };
        AppChanges: {
            profile_id?: number | null;
            scopes?: ("read:profiles" | "write:profiles" | "read:connections" | "write:connections" | "read:payments" | "read:gates" | "write:gates" | "read:content" | "write:content" | "spend:payments" | "read:files" | "write:files" | "commerce:negotiate" | "read:services" | "write:services" | "write:reviews" | "read:feed" | "write:feed" | "read:messages" | "write:messages" | "read:events" | "read:subscriptions" | "read:notifications" | "write:notifications" | "read:memory" | "write:memory" | "read:workspaces" | "write:workspaces" | "read:analytics")[];
            spending?: {
                credits_day?: number;
                day?: number;
                month?: number;
                purchase?: number;
            };
        };
        AppLimits: {
            /** @description Credits in one day */
            credits_day: number;
            day: number;
            month: number;
            /** @description US dollars, and the same in euros */
            purchase: number;
        };
        AppSpent: {
            /** @enum {string} */
            currency: "usd" | "eur" | "credits";
            day: number;
            month: number;
        };
        AsyncApiDocument: {
            asyncapi: string;
        } & {
            [key: string]: unknown;
        };
        AuditLog: {
            entries: {
                actor_did: string;
                commerce_id?: string;
                /** Format: uuid */
                entry_id: string;
                /** @enum {string} */
                event_type: "gate.proof.submitted" | "gate.proof.accepted" | "gate.proof.rejected" | "gate.payment.verified" | "gate.payment.rejected" | "session.created" | "session.renewed" | "session.revoked" | "session.expired" | "webhook.delivery.attempted" | "webhook.delivery.succeeded" | "webhook.delivery.failed" | "webhook.delivery.abandoned" | "commerce.offer" | "commerce.counter" | "commerce.accepted" | "commerce.invoice" | "commerce.paid" | "commerce.cancelled" | "data.withdrawal.requested" | "data.withdrawal.acknowledged" | "data.withdrawal.completed" | "poi.validated" | "poi.rejected" | "rate_limit.triggered" | "did.revocation.checked";
                failure_reason?: string;
                /** @enum {string} */
                gate_type?: "credential" | "payment" | "agreement" | "data_request" | "identity" | "allowlist" | "reciprocal" | "combined";
                /** @description `chain` is the place in the log, `via` the connected app; the other members depend on the event */
                metadata: {
                    chain: {
                        actor_digest: string;
                        /** @description Null when the account or profile of the actor was deleted */
                        actor_salt: string | null;
                        hash: string;
                        /** @description EdDSA over `hash`, base64url */
                        hash_signature: string;
                        position: number;
                        previous_hash: string;
                        /** @description Of the app in `metadata.via` */
                        via_digest?: string;
                        /** @description Null when the app was erased */
                        via_salt?: string | null;
                    };
                    via?: components["schemas"]["ActingApp"];
                } & {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                outcome: "success" | "failure" | "partial" | "pending";
                publisher_did: string;
                resource?: string;
                session_token_id?: string;
                /** @description EdDSA, base64url, over entry_id, event_type, actor_did, publisher_did, timestamp and outcome, joined by line feeds */
                signature: string;
                /** Format: date-time */
                timestamp: string;
            }[];
            next_cursor?: string;
            page: number;
            per_page: number;
            /** @description Absent when the entries are of several profiles */
            publisher_did?: string;
            total: number;
        };
        AuditLogVerification: {
            /** @description The first place that does not verify */
            broken: {
                /** @description Null when the entry is missing */
                entry_id: string | null;
                position: number;
                /** @enum {string} */
                reason: "missing_entry" | "hash_mismatch" | "previous_hash_mismatch" | "actor_mismatch" | "invalid_signature" | "invalid_hash_signature";
            } | null;
            /** @description How many entries were verified */
            count: number;
            first: {
                /** Format: uuid */
                entry_id: string;
                hash: string;
                /** @description A signature of `hash` by the service: proves that the log had this entry */
                hash_signature: string;
                position: number;
            } | null;
            last: {
                /** Format: uuid */
                entry_id: string;
                hash: string;
                /** @description A signature of `hash` by the service: proves that the log had this entry */
                hash_signature: string;
                position: number;
            } | null;
            /** @description Where to continue with `from_position`; null at the end of the log */
            next_position: number | null;
            ok: boolean;
            publisher_did: string;
        };
        BillingPortal: {
            /**
             * Format: uri
             * @description A page of the processor, which leads back to the page of the plan
             */
            url: string;
        };
        Bootstrap: {
            description: string;
            did: string;
            eep_version: string;
            formats: string[];
            name: string;
            profile_url: string;
            start: {
                rel: string;
                title: string;
                /** Format: uri */
                url: string;
            }[];
        };
        BrowserSignIn: {
            /** Format: date-time */
            expires_at: string;
            user: components["schemas"]["Account"];
        };
        CallerAccount: {
            /** @description The profile that acts when a request names none */
            active_profile_id: number | null;
            /** Format: date-time */
            created_at: string;
            deletion_scheduled_at: string | null;
            /** @description Left out for connected apps */
            email?: string;
            /** @description Left out for connected apps */
            email_owned?: boolean;
            /** @description Left out for connected apps */
            email_verified?: boolean;
            full_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description Left out for API keys */
            isAdmin?: boolean;
            /**
             * @description The language of emails, as BCP 47; null for the language of the service
             * @example de
             */
            language: string | null;
            /** @description Profiles that it owns, then those it is a member of, each oldest first; at most 100 */
            profiles: {
                id: number;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                /** @enum {string} */
                role: "owner" | "admin" | "editor" | "viewer";
                username: string;
            }[];
            /** @enum {string} */
            tier: "community" | "pro" | "team";
            username: string;
        };
        CapabilityQueryResult: {
            items: {
                access_patterns: string[];
                category: string;
                description?: string;
                gate_types: string[];
                id: string;
                name: string;
            }[];
            limit: number;
            /** Format: uri */
            next_page_url?: string;
            page: number;
            total: number;
        };
        Category: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            icon: string | null;
            id: number;
            name: string;
            /** @description The pages it holds directly, whatever their status */
            page_count: number;
            parent_id: number | null;
            path: string;
            position: number;
            profile_id: number;
            slug: string;
            /** Format: date-time */
            updated_at: string;
            url: string;
            /** @enum {string} */
            visibility: "public" | "private";
        };
        CategorySuggestionList: {
            data: {
                description: string;
                icon: string;
                name: string;
                slug: string;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        CategoryTreeList: {
            data: {
                /** @description Categories of the same form */
                children: ({
                    id: number;
                } & {
                    [key: string]: unknown;
                })[];
                /** Format: date-time */
                created_at: string;
                description: string | null;
                icon: string | null;
                id: number;
                name: string;
                /** @description The pages it holds directly, whatever their status */
                page_count: number;
                parent_id: number | null;
                path: string;
                position: number;
                profile_id: number;
                slug: string;
                /** Format: date-time */
                updated_at: string;
                url: string;
                /** @enum {string} */
                visibility: "public" | "private";
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        Changelog: {
            data: ({
                at: string;
                fields?: string[];
                id: string;
                page?: {
                    id: number;
                    title: string;
                    url: string;
                };
                /** @description For example `profiles.profile_updated` or `content.page_saved` */
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            pagination: components["schemas"]["Pagination"];
        };
        Checkout: {
            checkout_id: string;
            checkout_url: string;
            /** Format: date-time */
            expires_at: string;
        };
        Confirmation: {
            message: string;
            /** @constant */
            success: true;
        };
        ConnectedApp: {
            client_host: string | null;
            client_id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends unless it is used before
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            last_used_at: string;
            /** @description A claim of the app, unless `verified` */
            name: string;
            /** @description The only profile that it acts for; null for all */
            profile_id: number | null;
            scopes: string[];
            spending: {
                /** @description Whether it can get scopes that spend */
                allowed: boolean;
                limits: components["schemas"]["AppLimits"];
                /** @description By all connections of the same app: today and in this month, in UTC */
                spent: components["schemas"]["AppSpent"][];
            };
            /** @description Whether the service checked that the app controls its host */
            verified: boolean;
        };
        ConnectedAppList: {
            data: components["schemas"]["ConnectedApp"][];
            pagination: components["schemas"]["Pagination"];
        };
        Connection: {
            followee: components["schemas"]["ScoredProfileSummary"];
            /** @description The profile that acts */
            follower: components["schemas"]["ScoredProfileSummary"];
        };
        ConnectionList: {
            data: {
                avatar_url: string | null;
                did: string;
                /** Format: date-time */
                followed_at: string;
                full_name: string | null;
                id: number;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                trust_score: number;
                url: string;
                username: string;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        ConnectionState: {
            following: boolean;
        };
        ContentDocument: components["schemas"]["PageDocument"] | components["schemas"]["ContentsDocument"];
        ContentsDocument: {
            categories: {
                /** @description Categories of the same form */
                categories: ({
                    id: number;
                } & {
                    [key: string]: unknown;
                })[];
                description: string | null;
                icon: string | null;
                id: number;
                name: string;
                pages: {
                    excerpt: string | null;
                    /** @description The audiences that read it for free; the price is for the others. Absent when there are none */
                    free_for?: ("people" | "browsers" | "verified_bots" | "search_engines" | "unverified")[];
                    gated: boolean;
                    id: number;
                    path: string;
                    price: {
                        amount: string;
                        currency: string;
                        per: string;
                    } | null;
                    slug: string;
                    /** @description The cover of the page, else the first image of its text if everyone may read both */
                    thumbnail_url: string | null;
                    title: string;
                    /** Format: date-time */
                    updated_at: string;
                    url: string;
                }[];
                path: string;
                slug: string;
                url: string;
            }[];
            description: string | null;
            pages: {
                excerpt: string | null;
                /** @description The audiences that read it for free; the price is for the others. Absent when there are none */
                free_for?: ("people" | "browsers" | "verified_bots" | "search_engines" | "unverified")[];
                gated: boolean;
                id: number;
                path: string;
                price: {
                    amount: string;
                    currency: string;
                    per: string;
                } | null;
                slug: string;
                /** @description The cover of the page, else the first image of its text if everyone may read both */
                thumbnail_url: string | null;
                title: string;
                /** Format: date-time */
                updated_at: string;
                url: string;
            }[];
            pagination: components["schemas"]["Pagination"];
            path: string;
            profile: {
                did: string;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                url: string;
                username: string;
            };
            title: string;
            url: string;
        };
        Conversation: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description Whether the acting profile blocks the other profile */
            is_blocked: boolean;
            last_message: components["schemas"]["Message"] | null;
            /** @description The other profile; null when it was deleted */
            participant: {
                did: string;
                full_name: string | null;
                id: number;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                url: string;
                username: string;
            } | null;
            /** @description The acting profile */
            profile_id: number;
            /** @description Counted up to 1,000 */
            unread_count: number;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationList: {
            data: components["schemas"]["Conversation"][];
            pagination: components["schemas"]["Pagination"];
        };
        CreatedPreviewLink: {
            /** Format: date-time */
            created_at: string;
            /** @description The account that made it */
            created_by: string;
            /** Format: date-time */
            expires_at: string;
            id: number;
            /** @description Anyone who has it can read the draft. Only this response has it */
            url: string;
        };
        CreatedProfile: {
            id: number;
            /** @constant */
            success: true;
            /**
             * Format: uri
             * @description The page of the profile; `Location` has the address of its record
             */
            url: string;
            username: string;
        };
        CurrentSubscription: {
            subscription: components["schemas"]["Subscription"] | null;
        };
        Customer: {
            avatar_url: string | null;
            /** @description Of an agent */
            did: string | null;
            /** @description The same for all purchases of a customer at a profile */
            id: string;
            /** @enum {string} */
            kind: "account" | "agent" | "wallet" | "card" | "erased";
            /** @description Of an account with a public profile; else null, as below */
            name: string | null;
            /** @description Of the wallet */
            network: string | null;
            /** @description Distinguishes guests who pay by card */
            number: number | null;
            username: string | null;
            /** @description The shortened address of a wallet */
            wallet: string | null;
        };
        CustomerSales: {
            avatar_url: string | null;
            /** @description Of an agent */
            did: string | null;
            /** Format: date-time */
            first_purchase_at: string;
            /** @description The same for all purchases of a customer at a profile */
            id: string;
            /** @enum {string} */
            kind: "account" | "agent" | "wallet" | "card" | "erased";
            /** Format: date-time */
            last_purchase_at: string;
            /** @description Of an account with a public profile; else null, as below */
            name: string | null;
            /** @description Of the wallet */
            network: string | null;
            /** @description Distinguishes guests who pay by card */
            number: number | null;
            purchases: number;
            refunds: number;
            spent: {
                asset: string;
                currency: string;
                /** @description An integer of the smallest unit */
                gross: string;
                network: string;
                /** @description An integer of the smallest unit */
                refunded: string;
            }[];
            /** @description Of the latest purchases */
            titles: string[];
            username: string | null;
            /** @description The shortened address of a wallet */
            wallet: string | null;
        };
        CustomerSalesList: {
            data: components["schemas"]["CustomerSales"][];
            pagination: components["schemas"]["Pagination"];
        };
        Dashboard: {
            pagination: components["schemas"]["Pagination"];
            profiles: components["schemas"]["DashboardProfile"][];
        };
        DashboardProfile: {
            /** @description The color of its pages, as `#rrggbb` */
            accent?: string | null;
            avatar_url?: string | null;
            bio?: string | null;
            capabilities?: string[];
            completion: components["schemas"]["ProfileCompletion"];
            cover_url?: string | null;
            created_at: string;
            did: string;
            /** @description The newest files; `/files/list/{prefix}/{slug}` has all */
            files?: {
                content_type: string;
                created_at: string;
                filename: string;
                id: number;
                size: number;
                url: string;
            }[];
            full_name: string | null;
            id: number;
            metrics: {
                categories: number;
                pages: {
                    archived: number;
                    draft: number;
                    published: number;
                };
                reactions: {
                    bookmark: number;
                    like: number;
                };
                /** @description Receipts of its sales */
                sales: number;
            };
            /** @enum {string} */
            profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
            /**
             * @description The role of the caller in this profile
             * @enum {string}
             */
            role: "owner" | "admin" | "editor" | "viewer";
            /** @description `/trust/{prefix}/{username}` has its parts */
            trust_score: number;
            type_data?: {
                [key: string]: unknown;
            };
            updated_at: string;
            /** Format: uri */
            url: string;
            username: string;
            /** @enum {string} */
            visibility: "public" | "unlisted" | "private";
        } & {
            [key: string]: unknown;
        };
        DegradedHealth: {
            /** @description The unavailable parts: blobs, billing, mail, search, embedder, the id of a rail, or a check of a module of the host */
            degraded: {
                [key: string]: "unavailable";
            };
            /** @constant */
            status: "degraded";
        };
        DeletedPasskey: {
            /** @constant */
            success: true;
        };
        DeletedPasskeys: {
            deleted: number;
            /** @constant */
            success: true;
        };
        DeliveryAttempt: {
            attempt: number;
            error?: string;
            event_id: string;
            /** @enum {string} */
            final_status: "delivered" | "failed" | "undeliverable";
            response_time_ms: number;
            /** @description The header Retry-After of a 429 or 503, as the receiver sent it */
            retry_after?: string;
            status_code?: number;
            subscription_id: string;
            /** Format: date-time */
            timestamp: string;
        };
        DeliveryAttemptList: {
            /** @description The same list under its EEP name */
            attempts: components["schemas"]["DeliveryAttempt"][];
            data: components["schemas"]["DeliveryAttempt"][];
            pagination: components["schemas"]["Pagination"];
            subscription_id: string;
        };
        DidDocument: {
            controller: string;
            id: string;
        } & {
            [key: string]: unknown;
        };
        DidResolution: {
            didDocument: {
                id: string;
            } & {
                [key: string]: unknown;
            };
            didDocumentMetadata: {
                canonicalId?: string;
                created?: string;
                updated?: string;
            };
            didResolutionMetadata: {
                contentType: string;
            };
        };
        DisconnectedApp: {
            /** @constant */
            success: true;
        };
        DisconnectedApps: {
            ended: number;
            /** @constant */
            success: true;
        };
        Document: {
            body: string;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            parent_id: string | null;
            position: number;
            title: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
            /** Format: uuid */
            workspace_id: string;
        };
        DocumentComment: {
            author: {
                id: string;
                username: string | null;
            } | null;
            body: string;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            document_id: string;
            id: number;
        };
        DocumentCommentList: {
            data: components["schemas"]["DocumentComment"][];
            pagination: components["schemas"]["Pagination"];
        };
        DocumentDiff: {
            body: components["schemas"]["TextDiff"];
            /** @description 0 before the first version */
            from: number;
            title: {
                from: string | null;
                to: string | null;
            };
            to: number;
        };
        DocumentSearchResults: {
            data: {
                document: components["schemas"]["DocumentSummary"];
                matched: ("keyword" | "semantic" | "fuzzy")[];
                /** @description 0 to 1, comparable within one search */
                score: number;
                /** @description Plain text, as it was indexed */
                snippet: {
                    /** @description What matched: start and end, exclusive, in UTF-16 code units */
                    ranges: number[][];
                    text: string;
                };
                title: {
                    /** @description What matched: start and end, exclusive, in UTF-16 code units */
                    ranges: number[][];
                    text: string;
                };
            }[];
            /** @description Why nothing was searched */
            hint?: string;
            /** @description The parts of the query that were not searched: a query has at most 8 terms and 16 words */
            ignored?: string[];
            /** @enum {string} */
            mode: "keyword" | "semantic" | "hybrid";
            pagination: components["schemas"]["Pagination"];
            /** @description The corrected query, when misspelled words were replaced */
            suggestion?: string;
        };
        DocumentSummary: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            parent_id: string | null;
            position: number;
            title: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
            /** Format: uuid */
            workspace_id: string;
        };
        DocumentSummaryList: {
            data: components["schemas"]["DocumentSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        DocumentVersion: {
            body: string;
            /** Format: date-time */
            created_at: string;
            created_by: string;
            title: string;
            version: number;
        };
        DocumentVersionSummary: {
            /** Format: date-time */
            created_at: string;
            created_by: string;
            title: string;
            version: number;
        };
        DocumentVersionSummaryList: {
            data: components["schemas"]["DocumentVersionSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        EmailUnsubscription: {
            /** @description The kinds that are no longer sent by email */
            kinds: string[];
        };
        EmailVerification: {
            /** @description Whether the account owns the address. False without a session of the account: nothing else changed */
            email_owned: boolean;
            message: string;
            /** @constant */
            success: true;
        };
        EndedSessions: {
            ended: number;
            /** @constant */
            success: true;
        };
        Entitlement: {
            /** @description The audience in which alone it counts; null for everyone */
            audience: {
                any_of: string[];
                none_of?: string[];
                /** @constant */
                type: "x-audience";
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description CAIP-2, the method of a DID, `account`, or `email` */
            payer_network: string;
            /** @description A wallet, DID, account id or email, by payer_network */
            payer_wallet_address: string;
            profile_id: number;
            /** @enum {string} */
            reason: "purchase" | "hand" | "trial" | "grace";
            /** @description Null for a grant without a payment */
            receipt_id: string | null;
            resource_pattern: string;
            revoked_at: string | null;
            /** Format: date-time */
            starts_at: string;
            /** @description Since when a dispute suspends it */
            suspended_at: string | null;
            tier: string;
            valid_until: string | null;
        };
        EntitlementList: {
            data: components["schemas"]["Entitlement"][];
            pagination: components["schemas"]["Pagination"];
        };
        Error: {
            error: {
                code: string;
                details?: unknown;
                message: string;
            };
        };
        ErrorReference: {
            code: string;
            message: string;
            routes: string[];
            status: number;
            /** Format: uri */
            url: string;
        };
        ErrorReferenceList: {
            errors: {
                code: string;
                message: string;
                status: number;
                /** Format: uri */
                url: string;
            }[];
        };
        EventHistory: {
            events: {
                data: {
                    [key: string]: unknown;
                };
                /** @constant */
                datacontenttype: "application/json";
                /** @constant */
                eep_version: "0.1";
                /** @description Unique and in the order of events; pass it to continue after this event */
                id: string;
                /** @description The DID of the profile that the event is about, or of the service */
                source: string;
                /** @constant */
                specversion: "1.0";
                /** @description The public path of the subject of the event, cut after 256 characters */
                subject?: string;
                /** Format: date-time */
                time: string;
                type: string;
            }[];
            /** @description Pass it as `since`; absent when nothing is left */
            next_cursor?: string;
        };
        EventSchema: {
            $schema: string;
            description: string;
        } & {
            [key: string]: unknown;
        };
        EventTypes: {
            items: {
                /**
                 * @description The readers: everyone, teams of profiles, or an account
                 * @enum {string}
                 */
                audience: "public" | "team" | "account";
                /** @description The JSON Schema of `data` */
                data_schema: {
                    [key: string]: unknown;
                };
                description: string;
                type: string;
            }[];
            limit: number;
            /** @constant */
            page: 1;
            total: number;
        };
        ExportedData: {
            [key: string]: unknown;
        };
        ExtractedText: {
            /** @description Of a text that is not UTF-8; null for other files */
            encoding: components["schemas"]["TextEncoding"] | null;
            markdown: string;
            source: {
                content_type: string;
                file_id: number;
                filename: string;
                sha256: string;
            };
            warnings: string[];
        };
        File: {
            /** @description What an image shows */
            alt: string | null;
            content_type: string;
            created_at: string;
            /** @description Of a text that is not UTF-8; null for other files */
            encoding: components["schemas"]["TextEncoding"] | null;
            filename: string;
            id: number;
            /** @description When its content was last replaced */
            replaced_at: string | null;
            sha256: string;
            size: number;
            /** Format: uri */
            url: string;
        };
        FileList: {
            data: components["schemas"]["File"][];
            pagination: components["schemas"]["Pagination"];
        };
        Freshness: {
            content_updated_at: string | null;
            did: string;
            /** @description Changes with the profile, its contents and its gates */
            revision: string;
            updated_at: string;
        };
        GateConfig: {
            default_tier: string;
            /** @enum {string} */
            fallback_behavior?: "restrict" | "default";
            tiers: {
                [key: string]: {
                    access: string[];
                    description?: string;
                    label?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    rate_limit?: {
                        concurrent_connections?: number;
                        requests_per_day?: number;
                        requests_per_hour?: number;
                        requests_per_minute?: number;
                    };
                    requirements: components["schemas"]["GateRequirement"][];
                };
            };
        };
        GatePreset: {
            config: components["schemas"]["GateConfig"];
            explain: {
                access: string;
                /** @description The decision for each audience, without other proofs, entitlements or payments */
                audiences: {
                    [key: string]: {
                        granted: boolean;
                        price: {
                            amount: string;
                            currency: string;
                            /** @enum {string} */
                            per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
                        } | null;
                        tier: string | null;
                    };
                };
                /** @description The tiers inside of the pattern that stay as they are */
                closer_tiers: string[];
                /** @description A resource that the pattern covers, and nothing covers more closely */
                example: string;
                /** @description The patterns inside of the pattern that stay open to everyone */
                open: string[];
            }[];
            warnings: components["schemas"]["GateWarning"][];
        };
        GateRequirement: ({
            amount: number;
            currency: string;
            payment_methods?: string[];
            /** @enum {string} */
            per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
            /** @constant */
            type: "payment";
            x402?: {
                enabled: boolean;
                /** Format: uri */
                facilitator_url?: string;
                network?: string;
                payment_rails?: string[];
            };
        } | {
            min_score: number;
            /** @constant */
            type: "trust";
        } | {
            /** @enum {string} */
            method: "did_verified" | "email_verified" | "domain_verified" | "kyc" | "any";
            /** @constant */
            type: "identity";
        } | {
            /** @enum {string} */
            relation: "follower" | "following" | "mutual" | "any";
            /** @constant */
            type: "connection";
        } | {
            accepted_formats?: ("jwt_vc" | "ldp_vc" | "sd_jwt_vc")[];
            credential_type: string;
            issuer?: string;
            /** @constant */
            type: "credential";
        } | {
            required_capabilities: string[];
            /** @constant */
            type: "capability";
        } | {
            dids: string[];
            /** @constant */
            type: "allowlist";
        } | {
            access_level: string;
            /** @constant */
            type: "reciprocal";
        } | {
            policy_hash?: string;
            /** Format: uri */
            policy_url?: string;
            requested_claims: {
                claim: string;
                purpose: string;
                retention_days: number;
                shareable?: boolean;
            }[];
            /** @constant */
            type: "data_request";
        } | {
            document_hash: string;
            document_title?: string;
            /** Format: uri */
            document_url: string;
            /** @enum {string} */
            signature_algo?: "EdDSA" | "ES256K";
            /** @constant */
            type: "agreement";
        } | {
            any_of: string[];
            none_of?: string[];
            /** @constant */
            type: "x-audience";
        }) | {
            /** @enum {string} */
            combine_mode: "all" | "any";
            recommended_collection_order?: string[];
            requirements: components["schemas"]["GateRequirement"][];
            /** @constant */
            type: "combined";
        } | ({
            type: string;
        } & {
            [key: string]: unknown;
        });
        GateSessionRevocation: {
            agent_did: string;
            /** @description The agent in `metadata` of the entry in the audit log; absent when the agent ended its sessions */
            agent_digest?: string;
            /** @description The entity at whose gate the sessions ended */
            publisher_did: string;
            /** @constant */
            re_auth_required: true;
            /** @enum {string} */
            reason: "agreement_violation" | "payment_failed" | "operator_request" | "security_incident";
            /** Format: date-time */
            revoked_at: string;
        };
        GateVersion: {
            /** @description The size of the configuration as JSON */
            bytes: number;
            changed_at: string;
            /** @description The account that wrote it, while there is one */
            changed_by: string | null;
            config: components["schemas"]["GateConfig"];
            version: number;
        };
        GateVersionSummary: {
            /** @description The size of the configuration as JSON */
            bytes: number;
            changed_at: string;
            /** @description The account that wrote it, while there is one */
            changed_by: string | null;
            version: number;
        };
        GateVersionSummaryList: {
            data: components["schemas"]["GateVersionSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        GateWarning: {
            /** @description The audiences that nothing proves */
            audiences?: string[];
            /**
             * @description payer_lookup: the tier costs more than 1.00, and the public address of a payer is enough to open what it bought. no_payment_method: the payment allows only methods that are not configured. price_partly_payable: some of the payment methods that the payment allows do not take its price; rails has the reasons. audience_declared: browsers opens it, which any client can claim to be. audience_evadable: programs that sign pay more than those that do not. audience_shadowed: tiers cover a part of it more closely, and keep the audience from there. audience_opens_sold: the audience alone opens what tiers sell to everyone. audience_unprovable: nothing in this service proves that a reader is one of audiences. search_engines_pay: the crawlers of engines are asked to pay, so pages leave their results
             * @enum {string}
             */
            code: "payer_lookup" | "no_payment_method" | "price_partly_payable" | "audience_declared" | "audience_evadable" | "audience_shadowed" | "audience_opens_sold" | "audience_unprovable" | "search_engines_pay";
            /** @description The search engines of search_engines_pay */
            engines?: string[];
            rails?: components["schemas"]["RailVerdict"][];
            tier: string;
            /** @description The other tiers of a warning about an audience */
            tiers?: string[];
        };
        GrantedEntitlements: {
            data: components["schemas"]["Entitlement"][];
        };
        Health: {
            /** @constant */
            ok: true;
            /** @constant */
            status: "ok";
        };
        HiddenPost: {
            hidden: boolean;
            id: number;
        };
        IdentityDeleted: {
            /** @constant */
            success: true;
        };
        Insight: {
            agents: {
                /** @description Instead of a name, for API keys and for DIDs of this service */
                agent_id: string | null;
                /**
                 * @description `app` is a connected app; `signed` is proven by a signature of its operator; `named` and `web_bot_auth` are claims without proof
                 * @enum {string}
                 */
                kind: "verified" | "key" | "app" | "signed" | "family" | "named" | "web_bot_auth";
                /** @description A DID, an origin, a user agent family or a host */
                name: string | null;
                operator: string | null;
                pages: {
                    count: number;
                    path: string;
                }[];
                purpose: string | null;
                queries: {
                    count: number;
                    query: string;
                }[];
                reads: number;
                refusals: number;
                refused: {
                    count: number;
                    path: string;
                    /** @description Amount and currency: `0.05 USDC` */
                    price: string | null;
                }[];
                /** @description Null for agents that do not prove their DID or operator, and for roles that may not read payments */
                sales: number | null;
                searches: number;
            }[];
            /** Format: date-time */
            from: string;
            known_agents: {
                /** Format: date */
                date: string;
                /** Format: uri */
                source: string;
            };
            paywalls: {
                agents: number;
                /** @description Amount and currency: `0.05 USDC` */
                median_price: string | null;
                path: string;
                /** @description Those of the proven ones that paid in the period; null for roles that may not read payments */
                paying_bots: number | null;
                /** @description Agents whose operator signed the requests */
                proven_bots: number;
                readers: number;
                refusals: number;
            }[];
            profile_id: number;
            suggestions: {
                agents: number;
                message: string;
                path: string | null;
                rule: string;
            }[];
            /** Format: date-time */
            to: string;
        };
        InvalidDelegation: {
            errors: ("invalid_credential" | "wrong_type" | "invalid_subject" | "expired" | "agent_not_delegated" | "action_not_permitted" | "endpoint_not_permitted" | "amount_exceeded" | "currency_not_permitted" | "policy_hash_mismatch" | "purpose_not_permitted" | "retention_exceeded")[];
            /** @constant */
            valid: false;
        };
        Invoice: {
            /** Format: date-time */
            created_at: string;
            currency: string;
            id: string;
            /** @description The number on the invoice */
            number: string | null;
            pdf_url: string | null;
            /** @enum {string} */
            status: "open" | "paid" | "uncollectible" | "void";
            /** @description Negative for a credit */
            total_cents: number;
            /** @description A page that shows the invoice */
            url: string | null;
        };
        InvoiceList: {
            data: components["schemas"]["Invoice"][];
            pagination: components["schemas"]["Pagination"];
        };
        IssuedApiKey: {
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            id: number;
            /** @description The key itself; it is shown only once */
            key: string;
            /** @example eep_abcd…wxyz */
            masked: string;
            name: string;
            /** @constant */
            prefix: "eep_";
            profile_id: number | null;
            scopes: string[];
        };
        Job: {
            /** Format: date-time */
            created_at: string;
            error: {
                code: string;
                message: string;
            } | null;
            finished_at: string | null;
            /** Format: uuid */
            id: string;
            kind: string;
            progress: number;
            result: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
        };
        JobList: {
            data: components["schemas"]["Job"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description JSON Feed 1.1 */
        JsonFeed: {
            /** Format: uri */
            feed_url?: string;
            /** Format: uri */
            home_page_url?: string;
            items: {
                id: string;
            }[];
            /** Format: uri */
            next_url?: string;
            title: string;
            /** @constant */
            version: "https://jsonfeed.org/version/1.1";
        };
        JsonWebKeySet: {
            keys: ({
                kid: string;
                kty: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        LikeState: {
            counts: {
                likes: number;
                replies: number;
            };
            me: {
                like: boolean;
            };
        };
        LinkedIdentity: {
            /** Format: date-time */
            created_at: string;
            /** @description The address at the provider when it was linked */
            email: string | null;
            id: string;
            label: string;
            /** @description Whether the service still offers this provider */
            offered: boolean;
            provider: string;
            /** @description False for the last way to sign in */
            removable: boolean;
        };
        LinkedIdentityList: {
            data: components["schemas"]["LinkedIdentity"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListedExport: {
            /** Format: date-time */
            created_at: string;
            error: {
                code: string;
                message: string;
            } | null;
            /** @description When the address expires */
            expires_at: string | null;
            finished_at: string | null;
            /** @enum {string} */
            format: "zip" | "json";
            /**
             * Format: uuid
             * @description The id of its job
             */
            id: string;
            /** @description Null for an export of the account */
            profile_id: number | null;
            progress: number;
            sha256: string | null;
            /** @description In bytes; null until it has succeeded */
            size: number | null;
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description The download address; null until it has succeeded, when it has expired, when a later export replaced it, and without a proof of the person within ten minutes */
            url: string | null;
        };
        ListedExportList: {
            data: components["schemas"]["ListedExport"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListedRefund: {
            amount: {
                asset: string;
                atomic: string;
                currency: string;
                decimal: string;
            };
            /** @description Null for a recorded refund */
            claimed_at: string | null;
            commission_bps: number;
            /** Format: date-time */
            issued_at: string;
            payer_account_id: string | null;
            payer_did: string | null;
            payer_network: string;
            payer_wallet_address: string;
            /** @enum {string} */
            per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
            rail: string;
            receipt_id: string;
            refund: components["schemas"]["Refund"] | null;
            resource: string;
            resource_pattern: string;
            /**
             * @description Only on receipts of play money
             * @constant
             */
            sandbox?: true;
            seller: {
                did: string;
                profile_id: number;
            };
            settlement: {
                network: string;
                reference: string;
                transaction: string | null;
            };
            signature: string;
            tier: string;
            timeline: {
                /**
                 * @description What the two times above are: of the challenge that the payment answers, of the checkout page, or of the request that presented the payment
                 * @enum {string}
                 */
                basis: "challenge" | "checkout" | "request";
                /** Format: date-time */
                challenge_issued_at: string;
                /** Format: date-time */
                gate_hit_at: string;
                /** Format: date-time */
                paid_at: string;
                /** Format: date-time */
                settled_at: string;
            };
        };
        ListedRefundList: {
            data: components["schemas"]["ListedRefund"][];
            pagination: components["schemas"]["Pagination"];
        };
        LiveAnalytics: {
            challenges: number;
            clients: {
                agent: number;
                bot: number;
                human: number;
            };
            /** Format: date-time */
            from: string;
            minutes: {
                /** Format: date-time */
                at: string;
                views: number;
            }[];
            pages: {
                count: number;
                path: string;
            }[];
            profile_id: number;
            /** Format: date-time */
            to: string;
            views: number;
            visitors: number;
        };
        Manifest: {
            did: string;
            discovery_hints: {
                link_header_supported: boolean;
            };
            eep_version: string;
            eep_versions: string[];
            /** Format: uri */
            event_catalog_url?: string;
            event_types?: {
                description?: string;
                type: string;
            }[];
            /** Format: uri */
            gates_url?: string;
            layers: {
                /** Format: uri */
                layer1: string;
                /** Format: uri */
                layer2_sse?: string;
                /** Format: uri */
                layer2_webhook?: string;
                /** Format: uri */
                layer3_ws?: string;
            };
            pqc_ready: boolean;
            preferred_version: string;
            /** @constant */
            sandbox?: true;
            /** Format: uri */
            services_url?: string;
            signing_algorithms: ("EdDSA" | "ES256K" | "ES256")[];
            /** Format: uri */
            signing_jwks_url: string;
            supported_content_types: string[];
            x402?: {
                /** Format: uri */
                facilitator_url?: string;
                network?: string;
                payment_rails?: string[];
            };
            x402_enabled: boolean;
        };
        McpMessage: {
            error?: {
                code: number;
                data?: unknown;
                message: string;
            };
            id?: string | number | null;
            /** @constant */
            jsonrpc: "2.0";
            result?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        McpServerCard: {
            description: string;
            name: string;
            title: string;
            version: string;
        } & {
            [key: string]: unknown;
        };
        MemoryEntry: {
            content: string;
            created_at: string;
            id: number;
            importance: number;
            metadata: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            role: "user" | "assistant" | "system" | "tool";
            updated_at: string;
        };
        MemoryEntryList: {
            data: components["schemas"]["MemoryEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        MemorySearchResults: {
            data: {
                content: string;
                created_at: string;
                id: number;
                importance: number;
                metadata: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                role: "user" | "assistant" | "system" | "tool";
                score: number;
                updated_at: string;
            }[];
            /**
             * @description How the entries were found
             * @enum {string}
             */
            mode: "keyword" | "semantic" | "hybrid";
        };
        MemorySession: {
            agent_did: string | null;
            /** @description The size of contents and metadata */
            bytes: number;
            created_at: string;
            /** @description The number of entries */
            entries: number;
            expires_at: string;
            /** Format: uuid */
            id: string;
            name: string | null;
            profile_id: number;
            updated_at: string;
        };
        MemorySessionList: {
            data: components["schemas"]["MemorySession"][];
            pagination: components["schemas"]["Pagination"];
        };
        MemorySummary: {
            /** @description Whether these are all entries of the session, or the newest ones */
            complete: boolean;
            /** @description How many entries it summarizes */
            entries: number;
            summary: string;
        };
        Message: {
            body: string | null;
            /** @description Shown to the sender only */
            client_id: string | null;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            deleted_at: string | null;
            /** Format: uuid */
            id: string;
            /** @description Whether the acting profile sent it */
            is_own: boolean;
            /** @enum {string} */
            kind: "message" | "negotiation";
            /** @description The negotiation move, for entries of kind `negotiation` */
            negotiation: {
                action: string;
                negotiation_id: string;
                state: string;
                version: number;
            } | null;
            /** @description Null for entries of the service */
            sender_profile_id: number | null;
            /** @description Sequence number in the conversation, from 1, the same for both sides */
            seq: number;
            /**
             * @description `erased` when the profile that wrote it was deleted
             * @enum {string}
             */
            state: "sent" | "deleted" | "erased";
        };
        MessageList: {
            data: components["schemas"]["Message"][];
            pagination: components["schemas"]["Pagination"];
        };
        Negotiation: {
            /** @description The actions that the reader may take now */
            allowed_actions: ("counter" | "accept" | "reject" | "expire" | "invoice" | "receipt" | "complete" | "dispute")[];
            buyer_did: string;
            /** Format: date-time */
            created_at: string;
            dispute: ({
                opened_by: string;
                reason_code: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /**
             * Format: date-time
             * @description When the current offer expires, or the last one would have
             */
            expires_at: string;
            invoice: ({
                invoice_id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            metadata: {
                [key: string]: unknown;
            };
            negotiation_id: string;
            /** @enum {string} */
            offered_by: "buyer" | "seller";
            pricing: {
                currency: string;
                model: string;
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            pricing_mode: "fixed" | "negotiable";
            receipt: ({
                receipt_id: string;
                verified: boolean;
            } & {
                [key: string]: unknown;
            }) | null;
            /**
             * @description The role of the reader
             * @enum {string}
             */
            role: "buyer" | "seller" | "admin";
            seller_did: string;
            service: string;
            /** @enum {string} */
            state: "open" | "countered" | "accepted" | "invoiced" | "paid" | "completed" | "disputed" | "rejected" | "expired";
            terms: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        NegotiationHistory: {
            /** @description The actions that the reader may take now */
            allowed_actions: ("counter" | "accept" | "reject" | "expire" | "invoice" | "receipt" | "complete" | "dispute")[];
            buyer_did: string;
            /** Format: date-time */
            created_at: string;
            dispute: ({
                opened_by: string;
                reason_code: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /**
             * Format: date-time
             * @description When the current offer expires, or the last one would have
             */
            expires_at: string;
            history: {
                /** @enum {string} */
                action: "offer" | "counter" | "accept" | "reject" | "expire" | "invoice" | "receipt" | "complete" | "dispute";
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                by: "buyer" | "seller" | "admin" | "service";
                data: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                state: "open" | "countered" | "accepted" | "invoiced" | "paid" | "completed" | "disputed" | "rejected" | "expired";
                version: number;
            }[];
            invoice: ({
                invoice_id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            metadata: {
                [key: string]: unknown;
            };
            negotiation_id: string;
            /** @enum {string} */
            offered_by: "buyer" | "seller";
            pricing: {
                currency: string;
                model: string;
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            pricing_mode: "fixed" | "negotiable";
            receipt: ({
                receipt_id: string;
                verified: boolean;
            } & {
                [key: string]: unknown;
            }) | null;
            /**
             * @description The role of the reader
             * @enum {string}
             */
            role: "buyer" | "seller" | "admin";
            seller_did: string;
            service: string;
            /** @enum {string} */
            state: "open" | "countered" | "accepted" | "invoiced" | "paid" | "completed" | "disputed" | "rejected" | "expired";
            terms: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        NegotiationList: {
            data: components["schemas"]["Negotiation"][];
            pagination: components["schemas"]["Pagination"];
        };
        NewWebhook: {
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            delivery_format: "cloudevents/v1.0" | "cloudevents/v1.0-binary";
            /** @constant */
            delivery_method: "webhook";
            /** @description Signs deliveries; returned only when the subscription is created */
            delivery_secret?: string;
            delivery_url: string;
            event_types: string[];
            expires_at: string | null;
            /** @description Consecutive deliveries that were given up */
            failure_count: number;
            filter: {
                conditions: ({
                    /** @enum {string} */
                    op: "eq" | "ne";
                    path: string;
                    value: string | number | boolean | null;
                } | {
                    /** @enum {string} */
                    op: "in" | "nin";
                    path: string;
                    value: (string | number | boolean | null)[];
                } | {
                    /** @constant */
                    op: "prefix";
                    path: string;
                    value: string;
                } | {
                    /** @constant */
                    op: "exists";
                    path: string;
                    value?: boolean;
                } | {
                    /** @enum {string} */
                    op: "gt" | "lt";
                    path: string;
                    value: number | string;
                })[];
                /** @enum {string} */
                match: "all" | "any";
            } | null;
            lease_seconds: number;
            max_batch_size: number;
            max_batch_wait_ms: number;
            /** @description Why the receiver did not confirm the subscription */
            message?: string;
            metadata: {
                [key: string]: string;
            };
            /** @description Time since which events were not queued because the queue was full */
            missed_since: string | null;
            pause_reason: ("owner" | "failures" | "backlog" | "gone" | "key_ended") | null;
            /** @description Pending deliveries */
            pending: number;
            source_did: string;
            /** @enum {string} */
            status: "pending_verification" | "active" | "paused" | "rejected" | "expired" | "cancelled";
            subscription_id: string;
            tier: string | null;
            /** Format: date-time */
            verification_expires_at: string;
            /** @description What the subscription does not deliver */
            warnings?: ({
                /** @constant */
                code: "scope_missing";
                /** @description Types that are left out */
                event_types: string[];
                /** @description Null: API keys never receive these events */
                required_scope: string | null;
            } | {
                /** @constant */
                code: "unknown_type";
                /** @description Types and patterns that match nothing that the service emits today */
                event_types: string[];
            })[];
        };
        Notification: {
            /** @description The latest acting profiles, at most three */
            actors: {
                did: string;
                id: number;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                url: string;
                username: string;
            }[];
            /** @description Further paragraphs */
            body: string[];
            /** @description Number of events that it combines */
            count: number;
            /** Format: date-time */
            created_at: string;
            id: string;
            kind: string;
            /** @description The profile that receives it; null when it is for the account */
            profile_id: number | null;
            read_at: string | null;
            title: string;
            /**
             * Format: date-time
             * @description Time of the latest event
             */
            updated_at: string;
            /** @description The profile that it is about */
            url: string | null;
            /** @description The connected app that did it */
            via: components["schemas"]["ActingApp"] | null;
        };
        NotificationList: {
            data: components["schemas"]["Notification"][];
            pagination: components["schemas"]["Pagination"];
            /** @description Unread notifications of the active profile */
            unread_count: number;
        };
        NotificationPreferences: {
            preferences: {
                /** @description Null when notifications of this kind are never sent by email */
                email: ("off" | "immediately" | "daily") | null;
                /** @description Whether it is listed and sent on streams */
                in_app: boolean;
                kind: string;
                summary: string;
            }[];
        };
        OAuthDeviceCodes: {
            device_code: string;
            expires_in: number;
            interval: number;
            user_code: string;
            verification_uri: string;
            verification_uri_complete: string;
        };
        OAuthDeviceRequest: {
            client_assertion?: string;
            client_assertion_type?: string;
            client_id?: string;
            client_secret?: string;
            resource?: string | string[];
            scope?: string;
        } & {
            [key: string]: unknown;
        };
        OAuthRegistration: {
            client_id: string;
            client_id_issued_at: number;
            client_name?: string;
            client_uri?: string;
            grant_types: string[];
            redirect_uris: string[];
            response_types: string[];
            scope?: string;
            /** @constant */
            token_endpoint_auth_method: "none";
        };
        OAuthRegistrationRequest: {
            client_name?: string;
            client_uri?: string;
            grant_types?: string[];
            redirect_uris: string[];
            response_types?: string[];
            scope?: string;
            token_endpoint_auth_method?: string;
        } & {
            [key: string]: unknown;
        };
        OAuthResourceMetadata: {
            authorization_servers: string[];
            resource: string;
        } & {
            [key: string]: unknown;
        };
        OAuthRevocation: {
            client_assertion?: string;
            client_assertion_type?: string;
            client_id?: string;
            client_secret?: string;
            token: string;
            token_type_hint?: string;
        } & {
            [key: string]: unknown;
        };
        OAuthServerMetadata: {
            authorization_endpoint: string;
            issuer: string;
            token_endpoint: string;
        } & {
            [key: string]: unknown;
        };
        OAuthTokenRequest: {
            client_assertion?: string;
            client_assertion_type?: string;
            client_id?: string;
            client_secret?: string;
            code?: string;
            code_verifier?: string;
            device_code?: string;
            /** @description authorization_code, refresh_token, urn:ietf:params:oauth:grant-type:device_code */
            grant_type: string;
            redirect_uri?: string;
            refresh_token?: string;
            resource?: string | string[];
            scope?: string;
        } & {
            [key: string]: unknown;
        };
        OAuthTokens: {
            access_token: string;
            expires_in: number;
            refresh_token: string;
            scope: string;
            /** @constant */
            token_type: "Bearer";
        };
        OpenApiDocument: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        OperationReference: {
            auth: string;
            available: boolean;
            body: {
                content_type: string;
                fields: {
                    description: string | null;
                    /** @description Its place: `tiers.*.requirements[].type`; `*` is any name, `[]` an item of a list */
                    name: string;
                    required: boolean;
                    type: string;
                }[];
            } | null;
            example: string;
            method: string;
            operation_id: string;
            parameters: {
                description: string | null;
                in: string;
                /** @description Its place: `tiers.*.requirements[].type`; `*` is any name, `[]` an item of a list */
                name: string;
                required: boolean;
                type: string;
            }[];
            path: string;
            responses: {
                codes: {
                    code: string;
                    message: string;
                }[];
                content_types: string[];
                description: string;
                fields: {
                    description: string | null;
                    /** @description Its place: `tiers.*.requirements[].type`; `*` is any name, `[]` an item of a list */
                    name: string;
                    required: boolean;
                    type: string;
                }[];
                status: string;
            }[];
            scope: string | null;
            summary: string;
            tag: string;
            transitional: boolean;
            /** Format: uri */
            url: string;
        };
        OwnReactionList: {
            data: {
                excerpt: string | null;
                id: number;
                /** @enum {string} */
                kind: "like" | "bookmark";
                path: string;
                profile: {
                    did: string;
                    id: number;
                    /** @enum {string} */
                    profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                    url: string;
                    username: string;
                };
                /** Format: date-time */
                reacted_at: string;
                slug: string;
                title: string;
                /** Format: date-time */
                updated_at: string;
                url: string;
            }[];
            pagination: {
                has_more: boolean;
                limit: number;
                page: number;
                total: number;
            };
        };
        OwnReport: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            reason: string | null;
            /** @enum {string} */
            status: "open" | "resolved" | "dismissed";
            subject: {
                /** @description The id of the conversation, message or post */
                id: string;
                /** @enum {string} */
                type: "conversation" | "message" | "post";
            };
        };
        Page: {
            body: string;
            category_id: number | null;
            cover_url: string | null;
            /** Format: date-time */
            created_at: string;
            excerpt: string | null;
            id: number;
            path: string;
            position: number;
            profile_id: number;
            /** @description When the page, or its draft if it is published, will be published; null when that is not scheduled */
            publish_at: string | null;
            published_at: string | null;
            /** @description The resource name of the page in gates */
            resource: string;
            slug: string;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            title: string;
            /** Format: date-time */
            updated_at: string;
            url: string;
            version: number;
        };
        PageDiff: {
            body: components["schemas"]["TextDiff"];
            excerpt: {
                from: string | null;
                to: string | null;
            };
            /** @description 0 before the first version */
            from: number;
            status: {
                from: string | null;
                to: string | null;
            };
            title: {
                from: string | null;
                to: string | null;
            };
            to: number;
        };
        PageDocument: {
            body: string;
            category_path: string[];
            cover_url: string | null;
            /** Format: date-time */
            created_at: string;
            excerpt: string | null;
            id: number;
            path: string;
            profile: {
                did: string;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                url: string;
                username: string;
            };
            published_at: string | null;
            /** @description Of pages of unlisted profiles only, whose reactions have no other address */
            reactions_url?: string;
            slug: string;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            title: string;
            /** Format: date-time */
            updated_at: string;
            url: string;
            version: number;
        };
        PageDraft: {
            base_version: number;
            body: string;
            cover_url: string | null;
            excerpt: string | null;
            page_id: number;
            /** @description When it will be published; null when that is not scheduled */
            publish_at: string | null;
            title: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The account that saved it last; null after it was erased */
            updated_by: string | null;
        };
        PageSummary: {
            category_id: number | null;
            cover_url: string | null;
            /** Format: date-time */
            created_at: string;
            excerpt: string | null;
            id: number;
            path: string;
            position: number;
            profile_id: number;
            /** @description When the page, or its draft if it is published, will be published; null when that is not scheduled */
            publish_at: string | null;
            published_at: string | null;
            /** @description The resource name of the page in gates */
            resource: string;
            slug: string;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            title: string;
            /** Format: date-time */
            updated_at: string;
            url: string;
            version: number;
        };
        PageSummaryList: {
            data: components["schemas"]["PageSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        PageVersion: {
            body: string;
            /** Format: date-time */
            created_at: string;
            created_by: string;
            excerpt: string | null;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            title: string;
            version: number;
            /** @description The connected app that did it */
            via: components["schemas"]["ActingApp"] | null;
        };
        PageVersionSummary: {
            /** Format: date-time */
            created_at: string;
            created_by: string;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            title: string;
            version: number;
            /** @description The connected app that did it */
            via: components["schemas"]["ActingApp"] | null;
        };
        PageVersionSummaryList: {
            data: components["schemas"]["PageVersionSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        Pagination: {
            has_more: boolean;
            next_cursor?: string;
            total: number;
        };
        PaidYear: {
            subscription: components["schemas"]["Subscription"] | null;
            /** @constant */
            success: true;
            year: components["schemas"]["PrepaidYear"];
        };
        Passkey: {
            /** @description Whether it is stored in more than one place, such as a password manager */
            backed_up: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            last_used_at: string | null;
            name: string;
        };
        /** @description `PublicKeyCredentialCreationOptionsJSON` of WebAuthn */
        PasskeyCreationOptions: {
            /** @constant */
            attestation: "none";
            authenticatorSelection: {
                /** @constant */
                requireResidentKey: true;
                /** @constant */
                residentKey: "required";
                /** @enum {string} */
                userVerification: "preferred" | "required";
            };
            challenge: string;
            excludeCredentials: {
                id: string;
                transports: string[];
                /** @constant */
                type: "public-key";
            }[];
            pubKeyCredParams: {
                alg: number;
                /** @constant */
                type: "public-key";
            }[];
            rp: {
                id: string;
                name: string;
            };
            timeout: number;
            user: {
                displayName: string;
                id: string;
                name: string;
            };
        };
        PasskeyList: {
            data: components["schemas"]["Passkey"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description `PublicKeyCredentialRequestOptionsJSON` of WebAuthn */
        PasskeyRequestOptions: {
            challenge: string;
            rpId: string;
            timeout: number;
            /** @enum {string} */
            userVerification: "preferred" | "required";
        };
        PaymentGuide: {
            rails: {
                accepts: {
                    asset: string;
                    currencies: string[];
                    network: string;
                }[];
                id: string;
                /** @enum {string} */
                protocol?: "x402" | "mpp";
                /** @description The versions of x402 that it takes */
                versions?: number[];
            }[];
            steps: string[];
        };
        PaymentOffers: {
            decoded_payment_required: {
                accepts: {
                    [key: string]: unknown;
                }[];
                /** @constant */
                x402Version: 2;
            } & {
                [key: string]: unknown;
            };
            /** @description As the header PAYMENT-REQUIRED of the 402 */
            payment_required_b64: string;
        };
        Payout: {
            /** @description Null when the wallet was unlinked; the payout is disabled then */
            account_wallet_id: string | null;
            asset: string;
            enabled: boolean;
            id: number;
            network: string;
        };
        PayoutList: {
            data: components["schemas"]["Payout"][];
            pagination: components["schemas"]["Pagination"];
        };
        PersonProved: {
            /** Format: date-time */
            proved_until: string;
            /** @constant */
            success: true;
        };
        PlanCheckout: {
            checkout_id: string;
            checkout_url: string;
        };
        Post: {
            attachments: {
                content_type: string;
                filename: string;
                id: number;
                size: number;
                url: string;
            }[];
            body: string;
            counts: {
                likes: number;
                replies: number;
            };
            /** Format: date-time */
            created_at: string;
            entities: ({
                /** @description End, exclusive */
                end: number;
                /** @description The folded form, as in `hashtags` */
                hashtag: string;
                /** @description Start in the body, in UTF-16 code units */
                start: number;
                text: string;
                /** @constant */
                type: "hashtag";
            } | {
                /** @description End, exclusive */
                end: number;
                profile: {
                    did: string;
                    id: number;
                    /** @enum {string} */
                    profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                    url: string;
                    username: string;
                };
                /** @description Start in the body, in UTF-16 code units */
                start: number;
                text: string;
                /** @constant */
                type: "mention";
            } | {
                /** @description End, exclusive */
                end: number;
                /** @description Start in the body, in UTF-16 code units */
                start: number;
                text: string;
                /** @constant */
                type: "link";
                url: string;
            })[];
            /** @description Distinct hashtags in folded form (NFKC, without case) */
            hashtags: string[];
            id: number;
            profile: components["schemas"]["ProfileSummary"];
            /** @description The id of the post that this one replies to. It may have been deleted */
            reply_to: number | null;
            url: string;
        };
        PostingPermission: {
            account_id: string;
            open: boolean;
        };
        PostList: {
            data: components["schemas"]["Post"][];
            pagination: {
                has_more: boolean;
                next_cursor?: string;
                /** @description Number of posts in the list, counted up to 1,000 */
                total: number;
            };
        };
        PrepaidYear: {
            /** Format: date-time */
            paid_at: string;
            price_cents: number;
            receipt_id: string;
            term: {
                /** Format: date-time */
                ends_at: string;
                /** Format: date-time */
                starts_at: string;
            } | null;
            /** @enum {string} */
            tier: "community" | "pro" | "team";
        };
        PrepaidYearOffer: {
            amount: string;
            asset: string;
            /** @description Send it back with the payment */
            challenge: string;
            currency: string;
            /** Format: date-time */
            expires_at: string;
            hint: string;
            network: string;
            pay_to: string;
            payment_required: {
                /** @constant */
                x402Version: 2;
            } & {
                [key: string]: unknown;
            };
            payment_required_b64: string;
            /** Format: uri */
            resource: string;
            /** @constant */
            term: "P1Y";
            /** @enum {string} */
            tier: "pro" | "team";
        };
        PreviewLink: {
            /** Format: date-time */
            created_at: string;
            /** @description The account that made it */
            created_by: string;
            /** Format: date-time */
            expires_at: string;
            id: number;
        };
        PreviewLinkList: {
            data: components["schemas"]["PreviewLink"][];
        };
        PriceChallenge: {
            amount: string;
            /** @description Compact JWS (EdDSA) of this price, verifiable with /.well-known/jwks.json */
            challenge: string;
            currency: string;
            /** @description Seconds since 1970 */
            exp: number;
            pay_to: string;
            resource_url: string;
        };
        PricedOpenApi: {
            info: {
                title: string;
                version: string;
            } & {
                [key: string]: unknown;
            };
            openapi: string;
            paths: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        } & {
            [key: string]: unknown;
        };
        PricedResource: {
            /** @description The offers of the 402 with the scheme `exact`, without typed data */
            accepts: {
                [key: string]: unknown;
            }[];
            description: string;
            extensions: {
                [key: string]: unknown;
            };
            iconUrl?: string;
            /** @description ISO 8601 */
            lastUpdated: string;
            mimeType?: string;
            /** @description The URL of the resource */
            resource: string;
            serviceName?: string;
            tags?: string[];
            /**
             * @description `mcp` for a tool, which is called by MCP
             * @enum {string}
             */
            type: "http" | "mcp";
            /** @constant */
            x402Version: 2;
        } & {
            [key: string]: unknown;
        };
        PricedResources: {
            items: components["schemas"]["PricedResource"][];
            pagination: {
                limit: number;
                offset: number;
                total: number;
            };
            /** @description The parameters of the request that this catalogue does not filter by */
            unappliedFilters?: string[];
            /** @constant */
            x402Version: 2;
        };
        Pricing: {
            price_eur_monthly_cents: number;
            price_usd_monthly_cents: number;
            price_usdc_yearly_cents: number;
            /** @enum {string} */
            tier: "community" | "pro" | "team";
            trial_days: number;
        };
        /** @description RFC 9457. `code` is that of the error */
        Problem: {
            code?: string;
            detail?: string;
            details?: unknown;
            status: number;
            title: string;
            /** Format: uri-reference */
            type: string;
        };
        Profile: {
            /** @description The color of its pages, as `#rrggbb` */
            accent?: string | null;
            agent_instructions?: string | null;
            agent_rules?: string | null;
            avatar_url?: string | null;
            bio?: string | null;
            capabilities?: string[];
            cover_url?: string | null;
            created_at: string;
            custom_fields?: {
                [key: string]: unknown;
            };
            did: string;
            eep: {
                /** @constant */
                commerce?: true;
                endpoint: string;
                /** @constant */
                gated?: true;
                gates_url?: string;
                identity: {
                    did: string;
                    verification_endpoint: string;
                };
                services_url?: string;
                supported_delivery: string[];
                supported_event_types: string[];
                version: string;
            } & {
                [key: string]: unknown;
            };
            /** @description For the owner only */
            email?: string | null;
            /** @description The newest posts; `/feed/{prefix}/{username}` has all. Missing in services without a feed */
            feed?: {
                body: string;
                created_at: string;
                id: number;
                url: string;
            }[];
            /** @description The newest files; `/files/list/{prefix}/{slug}` has all */
            files?: {
                content_type: string;
                created_at: string;
                filename: string;
                id: number;
                size: number;
                url: string;
            }[];
            full_name: string | null;
            /** @description The fields that are omitted because of the gate, and the tiers that open each */
            gated?: {
                /**
                 * @example bio
                 * @example avatar_url
                 * @example cover_url
                 * @example accent
                 * @example skills
                 * @example socials
                 * @example keywords
                 * @example agent_instructions
                 * @example agent_rules
                 * @example capabilities
                 * @example custom_fields
                 * @example type_data
                 * @example files
                 * @example smart_sections
                 */
                field: string;
                tiers: string[];
            }[];
            id: number;
            keywords?: string[];
            links: {
                [key: string]: string;
            };
            /** @enum {string} */
            profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
            skills?: string[];
            /** @description Sections for the type of the agent, then those for every agent. Missing in services without them */
            smart_sections?: components["schemas"]["SmartSection"][];
            socials?: {
                [key: string]: string;
            };
            /** @description `/trust/{prefix}/{username}` has its parts */
            trust_score: number;
            type_data?: {
                [key: string]: unknown;
            };
            updated_at: string;
            username: string;
            /** @enum {string} */
            visibility: "public" | "unlisted" | "private";
        } & {
            [key: string]: unknown;
        };
        ProfileApps: {
            /**
             * @description With `owner_only`, connected apps of other members of its team do not reach the profile
             * @enum {string}
             */
            apps: "allowed" | "owner_only";
        };
        ProfileCapabilities: {
            capabilities: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
        };
        ProfileCompletion: {
            count: number;
            missing: ("avatar" | "bio" | "socials" | "skills")[];
        };
        ProfileSchema: {
            title: string;
        } & {
            [key: string]: unknown;
        };
        ProfileSchemaList: {
            schemas: {
                prefix: string;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                /** Format: uri */
                url: string;
            }[];
        };
        ProfileSummary: {
            avatar_url: string | null;
            did: string;
            full_name: string | null;
            id: number;
            /** @enum {string} */
            profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
            url: string;
            username: string;
        };
        ProfileVisibility: {
            /** @enum {string} */
            visibility: "public" | "unlisted" | "private";
        };
        Publication: {
            page: {
                id: number;
                path: string;
                profile_id: number;
                url: string;
            };
            /** Format: date-time */
            published_at: string;
            /** @description The version of the document */
            version: number;
        };
        PublishedDocument: {
            body: string;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            parent_id: string | null;
            position: number;
            publications: {
                page_id: number;
                profile_id: number;
                published_at: string | null;
                /** @description The version that the page shows */
                version: number | null;
            }[];
            title: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
            /** Format: uuid */
            workspace_id: string;
        };
        Purchase: {
            amount: {
                currency: string;
                decimal: string;
            };
            description: string;
            /** @description Whether the purchase opens anything now */
            is_open: boolean;
            /** Format: date-time */
            paid_at: string;
            /** @enum {string} */
            per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
            receipt_id: string;
            /** @description Null when the service renders no PDF */
            receipt_pdf_url: string | null;
            refunded_at: string | null;
            resource: string;
            seller: {
                did: string;
                name: string | null;
            };
            tier: string;
            /** @description The page that was bought */
            url: string;
            /** @description The end of what is open. Null while is_open: permanent */
            valid_until: string | null;
            /** @description The connected app that did it */
            via: components["schemas"]["ActingApp"] | null;
        };
        PurchaseList: {
            data: components["schemas"]["Purchase"][];
            pagination: components["schemas"]["Pagination"];
        };
        RailVerdict: {
            /** @description What it takes, when the reason is currency */
            currencies?: string[];
            /** @description The largest number of decimals */
            decimals?: number;
            maximum?: string;
            /** @description A decimal in the currency of the price */
            minimum?: string;
            ok: boolean;
            rail: string;
            /**
             * @description Why it does not take the price. method: the requirement does not allow this payment method
             * @enum {string}
             */
            reason?: "method" | "currency" | "below_minimum" | "above_maximum" | "decimals";
        };
        ReactionState: {
            counts: {
                bookmark: number;
                like: number;
            };
            /** @description All false for anonymous visitors */
            me: {
                bookmark: boolean;
                like: boolean;
            };
        };
        Readiness: components["schemas"]["Health"] | components["schemas"]["DegradedHealth"];
        ReadNotifications: {
            marked: number;
            /** @description Unread notifications of the active profile */
            unread_count: number;
        };
        RecalledMemory: {
            data: {
                content: string;
                created_at: string;
                id: number;
                importance: number;
                metadata: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                role: "user" | "assistant" | "system" | "tool";
                score: number;
                tokens: number;
                updated_at: string;
            }[];
            token_budget: number;
            tokens_used: number;
        };
        Receipt: {
            amount: {
                asset: string;
                atomic: string;
                currency: string;
                decimal: string;
            };
            commission_bps: number;
            /** Format: date-time */
            issued_at: string;
            payer_account_id: string | null;
            payer_did: string | null;
            payer_network: string;
            payer_wallet_address: string;
            /** @enum {string} */
            per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
            rail: string;
            receipt_id: string;
            refund: components["schemas"]["Refund"] | null;
            resource: string;
            resource_pattern: string;
            /**
             * @description Only on receipts of play money
             * @constant
             */
            sandbox?: true;
            seller: {
                did: string;
                profile_id: number;
            };
            settlement: {
                network: string;
                reference: string;
                transaction: string | null;
            };
            signature: string;
            tier: string;
            timeline: {
                /**
                 * @description What the two times above are: of the challenge that the payment answers, of the checkout page, or of the request that presented the payment
                 * @enum {string}
                 */
                basis: "challenge" | "checkout" | "request";
                /** Format: date-time */
                challenge_issued_at: string;
                /** Format: date-time */
                gate_hit_at: string;
                /** Format: date-time */
                paid_at: string;
                /** Format: date-time */
                settled_at: string;
            };
        };
        ReceiptList: {
            data: components["schemas"]["Receipt"][];
            pagination: components["schemas"]["Pagination"];
        };
        ReceivedWebhook: {
            /** @constant */
            duplicate?: true;
            handled: boolean;
            /** @constant */
            received: true;
        };
        RecoveredPurchases: {
            purchases: {
                receipt_id: string;
                resource: string;
                /** @description The DID of the profile that sold it */
                seller: string;
                tier: string;
                url: string;
                /** @description Null is permanent */
                valid_until: string | null;
            }[];
        };
        RecoveredWalletPurchases: {
            /** @description The network of its purchases */
            network: string | null;
            /** @description Whether the wallet bought anything; only then cookies are set */
            recovered: boolean;
        };
        RecoveryCodes: {
            /** @description Each works once in place of a code. They are not shown again. */
            recovery_codes: string[];
        };
        RecoveryRequest: {
            message: string;
        };
        Redelivery: {
            redelivered: string[];
            /** @constant */
            status: "accepted";
            subscription_id: string;
            unavailable: string[];
        };
        Refund: {
            reason: string | null;
            reference: string;
            refunded_at: string | null;
            /**
             * @description claimed: the seller reports a refund that is not proven yet. refunded: the refund is recorded
             * @enum {string}
             */
            state: "claimed" | "refunded";
        };
        RenewedGateSession: {
            /** Format: date-time */
            expires_at: string;
            session: {
                agent_did: string;
                context_id: string;
                exp: number;
                gate_version: string;
                iat: number;
                issuer_did: string;
                refresh_threshold: number;
                tiers: string[];
            };
            /** @description For `Authorization: EEP-Session <token>` */
            session_token: string;
        };
        Replay: {
            queued: number;
            /** @constant */
            status: "accepted";
            subscription_id: string;
        };
        Report: {
            /** Format: date-time */
            created_at: string;
            /** @description The text of the message or post when it was reported; for a conversation, the last messages of the reported profile. Null when there is none or the profile was deleted */
            evidence: string | null;
            /** Format: uuid */
            id: string;
            note: string | null;
            reason: string | null;
            /** @description The reported profile; null when it was deleted */
            reported: {
                did: string;
                id: number;
                /** Format: uuid */
                owner_account_id: string;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                url: string;
                username: string;
            } | null;
            /** @description The profile that the reporter acted for; null for posts, and when it was deleted */
            reporter: {
                did: string;
                id: number;
                /** Format: uuid */
                owner_account_id: string;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                url: string;
                username: string;
            } | null;
            /** @description Null when the account was deleted */
            reporter_account_id: string | null;
            /** @enum {string} */
            status: "open" | "resolved" | "dismissed";
            subject: {
                /** @description The id of the conversation, message or post */
                id: string;
                /** @enum {string} */
                type: "conversation" | "message" | "post";
            };
            /** Format: date-time */
            updated_at: string;
        };
        ReportList: {
            data: components["schemas"]["Report"][];
            pagination: components["schemas"]["Pagination"];
        };
        ResourcePrice: {
            /** @description The other tiers with requirements that cover it */
            other_tiers: string[];
            price: {
                amount: number;
                currency: string;
                label: string | null;
                /** @enum {string} */
                per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
            } | null;
            resource: string;
            /** @description The tier of this price alone. Null without a price */
            tier: string | null;
            warnings?: components["schemas"]["GateWarning"][];
        };
        Review: {
            comment?: string;
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @description `did:eep:erased` for a profile that is not public, was deleted, or whose account is banned */
            reviewer_did: string;
            score: number;
            service_id: string;
        };
        ReviewList: {
            data: components["schemas"]["Review"][];
            pagination: components["schemas"]["Pagination"];
        };
        RevokedToken: Record<string, never>;
        RotatedWebhookSecret: {
            /** @description Returned only once */
            delivery_secret: string;
            /** @description Until this time the previous secret signs as well */
            previous_secret_until: string | null;
            subscription_id: string;
        };
        Sale: {
            amount: {
                asset: string;
                atomic: string;
                currency: string;
                decimal: string;
            };
            /** @description Null unless the buyer shared it with this seller */
            buyer_email: string | null;
            commission_bps: number;
            customer: components["schemas"]["Customer"];
            /** Format: date-time */
            issued_at: string;
            payer_account_id: string | null;
            payer_did: string | null;
            payer_network: string;
            payer_wallet_address: string;
            /** @enum {string} */
            per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
            rail: string;
            receipt_id: string;
            refund: components["schemas"]["Refund"] | null;
            resource: string;
            resource_pattern: string;
            /**
             * @description Only on receipts of play money
             * @constant
             */
            sandbox?: true;
            seller: {
                did: string;
                profile_id: number;
            };
            settlement: {
                network: string;
                reference: string;
                transaction: string | null;
            };
            signature: string;
            tier: string;
            timeline: {
                /**
                 * @description What the two times above are: of the challenge that the payment answers, of the checkout page, or of the request that presented the payment
                 * @enum {string}
                 */
                basis: "challenge" | "checkout" | "request";
                /** Format: date-time */
                challenge_issued_at: string;
                /** Format: date-time */
                gate_hit_at: string;
                /** Format: date-time */
                paid_at: string;
                /** Format: date-time */
                settled_at: string;
            };
            /** @description The thing sold, as its buyer was shown it */
            title: string | null;
            /** @description Whether it paid for a request that was not answered as sold, and is compensated */
            undelivered: boolean;
        };
        SaleList: {
            data: components["schemas"]["Sale"][];
            pagination: components["schemas"]["Pagination"];
        };
        SalesDay: {
            asset: string;
            /** @description An integer of the smallest unit */
            commission: string;
            currency: string;
            /**
             * Format: date
             * @description The day in the time zone `tz`
             */
            date: string;
            /** @description An integer of the smallest unit */
            gross: string;
            /** @description An integer of the smallest unit */
            net: string;
            network: string;
            rail: string;
            /** @description An integer of the smallest unit */
            refunded: string;
            refunds: number;
            sales: number;
        };
        SalesDayList: {
            data: components["schemas"]["SalesDay"][];
            pagination: components["schemas"]["Pagination"];
        };
        SalesOrDays: components["schemas"]["SaleList"] | components["schemas"]["SalesDayList"];
        SalesSum: {
            asset: string;
            /** @description An integer of the smallest unit */
            commission: string;
            currency: string;
            /** @description An integer of the smallest unit */
            gross: string;
            /** @description An integer of the smallest unit */
            net: string;
            network: string;
            rail: string;
            /** @description An integer of the smallest unit */
            refunded: string;
            refunds: number;
            sales: number;
        };
        SalesSumList: {
            data: components["schemas"]["SalesSum"][];
            pagination: components["schemas"]["Pagination"];
        };
        SandboxToken: {
            /** @description Pays once */
            spt: string;
        };
        SandboxWallet: {
            address: string;
            /** @description In test USDC, as a decimal number */
            balance: string;
            /** @description In the smallest unit */
            balance_atomic: string;
            network: string;
            /** @constant */
            sandbox: true;
        };
        SavedGate: {
            default_tier: string;
            /** @enum {string} */
            fallback_behavior?: "restrict" | "default";
            tiers: {
                [key: string]: {
                    access: string[];
                    description?: string;
                    label?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    rate_limit?: {
                        concurrent_connections?: number;
                        requests_per_day?: number;
                        requests_per_hour?: number;
                        requests_per_minute?: number;
                    };
                    requirements: components["schemas"]["GateRequirement"][];
                };
            };
            /** @description Absent when there are none */
            warnings?: components["schemas"]["GateWarning"][];
        };
        ScoredProfileSummary: {
            avatar_url: string | null;
            did: string;
            full_name: string | null;
            id: number;
            /** @enum {string} */
            profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
            trust_score: number;
            url: string;
            username: string;
        };
        SearchResults: {
            data: {
                /** @description Of a file that is a text but not UTF-8 */
                encoding?: components["schemas"]["TextEncoding"];
                /** @description The audiences that read it for free */
                free_for?: ("people" | "browsers" | "verified_bots" | "search_engines" | "unverified")[];
                gated: boolean;
                highlights: {
                    /** @enum {string} */
                    field: "title" | "snippet";
                    ranges: number[][];
                }[];
                /** @enum {string} */
                kind: "profile" | "page" | "post" | "file";
                matched: ("keyword" | "semantic" | "fuzzy")[];
                path: string;
                /** @description The lowest price for access */
                price?: {
                    amount: string;
                    currency: string;
                    /** @enum {string} */
                    per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
                };
                profile: components["schemas"]["ProfileSummary"];
                /** @description 0 to 1, comparable within one search */
                score: number;
                /** @description Plain text */
                snippet: string;
                title: string;
                updated_at: string;
                url: string;
            }[];
            facets?: {
                kind?: {
                    count: number;
                    value: string;
                }[];
                profile_type?: {
                    count: number;
                    value: string;
                }[];
                tag?: {
                    count: number;
                    value: string;
                }[];
            };
            /** @description Why nothing was searched */
            hint?: string;
            /** @description The parts of the query that were not searched: a query has at most 8 terms and 16 words */
            ignored?: string[];
            /** @enum {string} */
            mode: "keyword" | "semantic" | "hybrid";
            pagination: components["schemas"]["Pagination"];
            /** @description The corrected query, when misspelled words were replaced */
            suggestion?: string;
        };
        SearchSuggestions: {
            data: {
                /** @enum {string} */
                kind: "profile" | "page" | "post" | "file";
                path: string;
                profile: components["schemas"]["ProfileSummary"];
                title: string;
                url: string;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        SecondFactor: {
            enabled: boolean;
            recovery_codes_left: number;
        };
        SecondFactorKey: {
            /** @description The URL that adds the key to an authenticator app, also as a QR code */
            otpauth_url: string;
            /** @description The key for the app, in base 32 */
            secret: string;
        };
        SentMessage: {
            conversation: components["schemas"]["Conversation"];
            message: components["schemas"]["Message"];
        };
        ServiceCapabilities: {
            authentication: {
                carrier: string;
                use: string;
            }[];
            description: string;
            did: string;
            eep_version: string;
            errors: {
                body: string;
                catalogue: string;
                problem: string;
            };
            features: {
                feature: string;
                routes: {
                    auth: string;
                    route: string;
                    summary: string;
                }[];
            }[];
            formats: {
                format: string;
                media_type: string;
            }[];
            links: {
                rel: string;
                title: string;
                /** Format: uri */
                url: string;
            }[];
            mcp?: {
                /** Format: uri */
                account_url: string;
                /** Format: uri */
                server_card: string;
                /** Format: uri */
                url: string;
            };
            name: string;
            oauth?: {
                /** Format: uri */
                guide: string;
                /** Format: uri */
                issuer: string;
                /** Format: uri */
                metadata: string;
            };
            payment: {
                docs_url: string;
                rails: {
                    accepts: {
                        asset: string;
                        currencies: string[];
                        network: string;
                    }[];
                    id: string;
                    /** @enum {string} */
                    protocol?: "x402" | "mpp";
                    /** @description The versions of x402 that it takes */
                    versions?: number[];
                }[];
                steps: string[];
            };
            profile_types: {
                prefix: string;
                /** Format: uri */
                schema: string;
                type: string;
                url: string;
            }[];
            rate_limits: {
                groups: {
                    group: string;
                    requests: number;
                }[];
                headers: string[];
                keys: {
                    requests: number;
                    tier: string;
                }[];
                window_seconds: number;
            };
            sold: {
                description: string;
                method: string;
                mime_type: string;
                price: {
                    amount: string;
                    currency: string;
                    per: string;
                } | null;
                resource: string;
                seller: string | null;
                url: string;
            }[];
        };
        ServiceCatalogue: {
            entity_did: string;
            services: components["schemas"]["ServiceListing"][];
        };
        ServiceDidDocument: {
            id: string;
            verificationMethod: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        ServiceHealth: {
            /** @description The consumers of the event log */
            consumers: {
                lag_seconds: number;
                name: string;
            }[] | null;
            /** @description Deliveries to webhooks that have not ended */
            deliveries: number | null;
            /** @description `off` without a search index; null when it could not be read */
            index: ({
                documents: number;
                /** @description The age of the first change that is not indexed */
                lag_seconds: number;
                /** @description Texts that have no vector yet */
                pending_texts: number;
                rebuilding: boolean;
            } | "off") | null;
            /** @description Of all instances; null when they could not be counted */
            jobs: {
                kinds: {
                    count: number;
                    kind: string;
                    oldest_seconds: number;
                    /** @enum {string} */
                    status: "queued" | "running";
                }[];
                /** @description The age of the oldest job that has not ended */
                oldest_seconds: number | null;
                queued: number;
                running: number;
            } | null;
            /** @description The emails of the instance that answers, since its start */
            mail: {
                configured: boolean;
                /** @description Because too many were waiting */
                dropped: number;
                failed: number;
                last_failed_at: string | null;
                sent: number;
                waiting: number;
            };
            /** @description The parts that `/health/ready` checks */
            parts: {
                [key: string]: "available" | "unavailable";
            };
            rails: {
                /** @description Null for a rail that cannot be pinged */
                available: boolean | null;
                id: string;
                /** @description Payments that are being settled */
                settling: number | null;
                /** @description Payments whose outcome is unknown */
                unknown: number | null;
            }[];
            /** @enum {string} */
            status: "ready" | "degraded" | "not_ready";
        };
        ServiceListing: {
            availability?: {
                /** Format: date-time */
                next_available?: string;
                schedule?: {
                    fri?: {
                        end: string;
                        start: string;
                    }[];
                    mon?: {
                        end: string;
                        start: string;
                    }[];
                    sat?: {
                        end: string;
                        start: string;
                    }[];
                    sun?: {
                        end: string;
                        start: string;
                    }[];
                    thu?: {
                        end: string;
                        start: string;
                    }[];
                    tue?: {
                        end: string;
                        start: string;
                    }[];
                    wed?: {
                        end: string;
                        start: string;
                    }[];
                };
                slots_remaining?: number;
                timezone?: string;
                /** @enum {string} */
                type?: "always" | "schedule" | "on_demand" | "limited";
            };
            /** @description For example consulting, data_feed, api_access, content or training */
            category: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            delivery: "realtime" | "async" | "scheduled" | "sse" | "webhook" | "download" | "a2a_task";
            description?: string;
            gate_requirements?: ({
                type: string;
            } & {
                [key: string]: string | number | boolean;
            })[];
            id: string;
            metadata?: {
                [key: string]: string | number | boolean;
            };
            name: string;
            /** @default false */
            negotiable: boolean;
            pricing: {
                amount?: number;
                currency: string;
                maximum_charge?: number;
                minimum_charge?: number;
                model: string;
                /** @enum {string} */
                period?: "hour" | "day" | "week" | "month" | "year";
                rate?: number;
                tiers?: {
                    rate: number;
                    up_to: number | "infinity";
                }[];
                unit?: string;
            };
            rating?: {
                count: number;
                score: number;
            };
            /**
             * @default active
             * @enum {string}
             */
            status: "active" | "paused" | "sold_out" | "coming_soon";
            tags?: string[];
            /** Format: date-time */
            updated_at: string;
        };
        ServiceStatistics: {
            accounts: {
                banned: number;
                by_tier: {
                    [key: string]: number;
                };
                deletion_scheduled: number;
                last_30_days: number;
                total: number;
                verified: number;
            };
            files: {
                bytes: number;
                total: number;
            };
            pages: {
                published: number;
                total: number;
            };
            profiles: {
                by_type: {
                    [key: string]: number;
                };
                total: number;
            };
            receipts: {
                last_30_days: number;
                total: number;
            };
            subscriptions: {
                by_status: {
                    [key: string]: number;
                };
            };
        };
        SettledCredential: {
            amount: number;
            currency: string;
            payer: {
                network: string;
                wallet: string;
            };
            receipt_id: string | null;
            reference: string;
            /** @constant */
            settled: true;
        };
        SettledPayment: {
            /** @description Null when it was paid for one request */
            entitlement: components["schemas"]["Entitlement"] | null;
            network: string;
            payer: string;
            receipt_id: string | null;
            /** @constant */
            success: true;
            /** @description Empty when an earlier payment opens it and this one was not used */
            transaction: string;
        };
        SignIn: {
            /** Format: date-time */
            expires_at: string;
            /** @description For `Authorization: Bearer`; the cookie has another token of the same session */
            token: string;
            /** @constant */
            token_type: "Bearer";
            user: components["schemas"]["Account"];
        };
        SiteManifest: {
            background_color: string;
            description: string;
            /** @constant */
            display: "browser";
            icons: {
                sizes: string;
                src: string;
                type: string;
            }[];
            name: string;
            scope: string;
            short_name: string;
            start_url: string;
            theme_color: string;
        };
        SiteRuleList: {
            rules: {
                /** @enum {string} */
                category: "crawling" | "content" | "http" | "discovery" | "payments" | "protocol";
                /** Format: uri */
                doc: string;
                fix: string;
                id: string;
                summary: string;
                weight: number;
            }[];
            /** @description The name of the scanner in robots.txt */
            user_agent: string;
        };
        SiteScan: {
            checks: {
                /** @enum {string} */
                category: "crawling" | "content" | "http" | "discovery" | "payments" | "protocol";
                detail: string;
                /** Format: uri */
                doc: string;
                evidence: string | null;
                fix: string | null;
                id: string;
                /** @enum {string} */
                status: "pass" | "warn" | "fail" | "skip";
            }[];
            error: {
                code: string;
                message: string;
            } | null;
            grade: ("A" | "B" | "C" | "D" | "F") | null;
            /** Format: uuid */
            id: string;
            level: ("none" | "core" | "standard" | "full") | null;
            scanned_at: string | null;
            score: number | null;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** Format: uri */
            url: string;
        };
        SmartSection: {
            agent_types: ("recruiter" | "sales" | "research" | "support" | "general")[];
            body: string;
            key: string;
            position: number;
            title: string;
            /** @enum {string} */
            visibility: "public" | "team";
        };
        SmartSections: {
            sections: components["schemas"]["SmartSection"][];
        };
        Subscription: {
            cancel_at_period_end: boolean;
            canceled_at: string | null;
            /** Format: date-time */
            created_at: string;
            currency: string;
            current_period_end: string | null;
            /** Format: uuid */
            id: string;
            next_price_cents: number | null;
            /** @description The plan of the next period, when it is another one */
            next_tier: ("community" | "pro" | "team") | null;
            /** @description The price of this subscription, also after price changes */
            price_at_creation_cents: number;
            processor: string;
            /** @enum {string} */
            status: "incomplete" | "incomplete_expired" | "trialing" | "active" | "past_due" | "unpaid" | "paused" | "canceled" | "other";
            /** @enum {string} */
            tier: "community" | "pro" | "team";
            trial_end: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        Success: {
            /** @constant */
            success: true;
        };
        SuggestedSlug: {
            slug: string;
        };
        Team: {
            data: components["schemas"]["TeamMember"][];
            /** @description The open ones; for owner and admins only */
            invitations?: components["schemas"]["TeamInvitation"][];
            owner: {
                full_name: string | null;
                /** Format: uuid */
                id: string;
                /** @constant */
                role: "owner";
                username: string;
            };
            pagination: components["schemas"]["Pagination"];
        };
        TeamInvitation: {
            /** Format: date-time */
            created_at: string;
            /** @description Where it was sent, for an invitation by email */
            email: string | null;
            /** Format: date-time */
            expires_at: string;
            id: number;
            /** @description A username */
            invited_by: string;
            profile: {
                id: number;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                username: string;
            };
            /** @enum {string} */
            role: "admin" | "editor" | "viewer";
            /** @description The invited account, if the invitation is for an account */
            username: string | null;
        };
        TeamInvitationList: {
            data: components["schemas"]["TeamInvitation"][];
            pagination: components["schemas"]["Pagination"];
        };
        TeamMember: {
            full_name: string | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description For the owner: when the profile was created
             */
            joined_at: string;
            /** @enum {string} */
            role: "owner" | "admin" | "editor" | "viewer";
            username: string;
        };
        TeamMembership: {
            profile: {
                id: number;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                username: string;
            };
            /** @enum {string} */
            role: "owner" | "admin" | "editor" | "viewer";
        };
        TestDelivery: {
            event_id: string;
            /** @constant */
            status: "accepted";
            subscription_id: string;
        };
        TestWallet: {
            wallet: components["schemas"]["SandboxWallet"] | null;
        };
        TestWalletSignature: {
            signature: string;
        };
        TextDiff: {
            added: number;
            /** @description The texts are too long or differ too much: everything between their equal beginning and end is reported as replaced */
            coarse: boolean;
            hunks: {
                lines: string[];
                new_lines: number;
                new_start: number;
                old_lines: number;
                old_start: number;
            }[];
            removed: number;
            /** @description The hunks as text, as `patch` reads it */
            unified: string;
        };
        TextEncoding: {
            /** @description Whether it was guessed from the bytes and the language of the owner */
            guessed: boolean;
            /** @description As named by the Encoding standard */
            name: string;
        };
        TextPreview: {
            /** @description The text as the page has it, below its title */
            html: string;
        };
        Tiers: {
            tiers: {
                api_requests_per_minute: number;
                commission_bps: number;
                limits: {
                    max_audio_upload_mb: number;
                    max_batch_files: number;
                    max_batch_size_mb: number;
                    max_file_mb: number;
                    max_files: number;
                    max_media_duration_minutes_per_file: number;
                    /** @description The larger of audio and video, for older clients */
                    max_media_size_mb: number;
                    max_storage_mb: number;
                    max_video_upload_mb: number;
                    transcription_minutes_per_month: number;
                };
                name: string;
                prices: {
                    price_eur_monthly_cents: number;
                    price_usd_monthly_cents: number;
                    price_usdc_yearly_cents: number;
                };
                /** @enum {string} */
                tier: "community" | "pro" | "team";
                trial_days: number;
            }[];
        };
        Transcript: {
            duration_seconds: number;
            file_id: number;
            language: string | null;
            segments: {
                end_seconds: number;
                start_seconds: number;
                text: string;
            }[];
            text: string;
        };
        Transfer: {
            /** Format: date-time */
            created_at: string;
            /**
             * @description As the caller sees it
             * @enum {string}
             */
            direction: "incoming" | "outgoing";
            /** Format: date-time */
            expires_at: string;
            from_username: string;
            id: number;
            /** @description Null after the transfer has ended, if the profile is private and the caller is not a member of its team, or if the account of its owner is to be deleted */
            profile: {
                id: number;
                /** @enum {string} */
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                username: string;
            } | null;
            recipient_username: string;
            resolved_at: string | null;
            /** @enum {string} */
            state: "pending" | "accepted" | "rejected" | "cancelled" | "expired";
        };
        TransferList: {
            data: components["schemas"]["Transfer"][];
            pagination: components["schemas"]["Pagination"];
        };
        Trust: {
            /** @enum {string} */
            level: "low" | "basic" | "established" | "high";
            score: number;
            signals: {
                met: boolean;
                /** @enum {string} */
                signal: "email_verified" | "wallet_linked" | "provider_linked" | "account_age_30d" | "account_age_365d" | "profile_complete" | "has_paid";
                weight: number;
            }[];
        };
        TrustStatus: {
            agent_did: string;
            /**
             * @description `standard` once it has paid in a request that it signed
             * @enum {string}
             */
            trust_state: "cold_start" | "standard";
        };
        UploadedFile: {
            filename: string;
            id: number;
            /** Format: uri */
            url: string;
        } | {
            files: {
                filename: string;
                id: number;
                /** Format: uri */
                url: string;
            }[];
        };
        Usage: {
            /** @description By API keys */
            api_requests_per_minute: number;
            /** @description The commission of the service on a sale, in basis points */
            commission_bps: number;
            /** @description Event streams that may be open at the same time, on each instance */
            concurrent_streams: number;
            /** @description Members of an archive to import */
            max_archive_members: number;
            max_audio_upload_mb: number;
            max_batch_files: number;
            max_batch_size_mb: number;
            /** @description For a file that is neither audio nor video */
            max_file_mb: number;
            max_files: number;
            /** @description Profiles that all profiles of the account follow */
            max_follows: number;
            max_media_duration_minutes_per_file: number;
            /** @description The larger of audio and video, for older clients */
            max_media_size_mb: number;
            max_memory_entries_per_session: number;
            /** @description The contents and metadata of all entries in these sessions */
            max_memory_mb: number;
            /** @description Memory sessions that have not expired, over all profiles of the account */
            max_memory_sessions: number;
            /** @description Posts of all profiles of the account */
            max_posts: number;
            max_storage_mb: number;
            max_video_upload_mb: number;
            transcription_minutes_per_month: number;
            usage: {
                files: number;
                /** @description Contents and metadata, in bytes */
                memory_bytes: number;
                memory_entries: number;
                /** @description That have not expired */
                memory_sessions: number;
                pages: number;
                profiles: number;
                /** @description Files, versions of pages, and versions of gate configurations */
                storage_mb: number;
                /** @description This month, by UTC */
                transcription_minutes: number;
                /** @description Minutes reserved by unfinished jobs */
                transcription_minutes_reserved: number;
            };
        };
        UsernameAvailability: {
            available: boolean;
        };
        ValidDelegation: {
            errors: unknown[];
            /** @constant */
            valid: true;
        };
        VerifiedProof: {
            /** @constant */
            access: "granted";
            expires_at?: string;
            /** @constant */
            granted: true;
            resource: string;
            session?: {
                agent_did: string;
                context_id: string;
                exp: number;
                gate_version: string;
                iat: number;
                issuer_did: string;
                refresh_threshold: number;
                tiers: string[];
            };
            /** @description For `Authorization: EEP-Session <token>` */
            session_token?: string;
            tier: string;
        };
        Wallet: {
            /** Format: uuid */
            account_wallet_id: string;
            address: string;
            caip2_network: string;
            chain_id: number;
            /** Format: date-time */
            verified_at: string;
        };
        WalletChallenge: {
            domain: string;
            /** Format: date-time */
            expires_at: string;
            nonce: string;
            uri: string;
        };
        WalletRecoveryChallenge: {
            chain_ids: number[];
            domain: string;
            /** Format: date-time */
            expires_at: string;
            nonce: string;
            uri: string;
        };
        Wallets: {
            wallets: components["schemas"]["Wallet"][];
        };
        Webhook: {
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            delivery_format: "cloudevents/v1.0" | "cloudevents/v1.0-binary";
            /** @constant */
            delivery_method: "webhook";
            delivery_url: string;
            event_types: string[];
            expires_at: string | null;
            /** @description Consecutive deliveries that were given up */
            failure_count: number;
            filter: {
                conditions: ({
                    /** @enum {string} */
                    op: "eq" | "ne";
                    path: string;
                    value: string | number | boolean | null;
                } | {
                    /** @enum {string} */
                    op: "in" | "nin";
                    path: string;
                    value: (string | number | boolean | null)[];
                } | {
                    /** @constant */
                    op: "prefix";
                    path: string;
                    value: string;
                } | {
                    /** @constant */
                    op: "exists";
                    path: string;
                    value?: boolean;
                } | {
                    /** @enum {string} */
                    op: "gt" | "lt";
                    path: string;
                    value: number | string;
                })[];
                /** @enum {string} */
                match: "all" | "any";
            } | null;
            lease_seconds: number;
            max_batch_size: number;
            max_batch_wait_ms: number;
            metadata: {
                [key: string]: string;
            };
            /** @description Time since which events were not queued because the queue was full */
            missed_since: string | null;
            pause_reason: ("owner" | "failures" | "backlog" | "gone" | "key_ended") | null;
            /** @description Pending deliveries */
            pending: number;
            source_did: string;
            /** @enum {string} */
            status: "pending_verification" | "active" | "paused" | "rejected" | "expired" | "cancelled";
            subscription_id: string;
            tier: string | null;
            /** Format: date-time */
            verification_expires_at: string;
        };
        WebhookHealth: {
            /** Format: date-time */
            created_at: string;
            /** @description The attempts of the last 30 days */
            deliveries: {
                delivered: number;
                /** @description Failed attempts */
                failed: number;
                last_error: components["schemas"]["DeliveryAttempt"] | null;
                p95_response_ms: number | null;
                /** @description Share of successful attempts; null without attempts */
                success_rate: number | null;
            };
            /** @enum {string} */
            delivery_format: "cloudevents/v1.0" | "cloudevents/v1.0-binary";
            /** @constant */
            delivery_method: "webhook";
            delivery_url: string;
            event_types: string[];
            expires_at: string | null;
            /** @description Consecutive deliveries that were given up */
            failure_count: number;
            filter: {
                conditions: ({
                    /** @enum {string} */
                    op: "eq" | "ne";
                    path: string;
                    value: string | number | boolean | null;
                } | {
                    /** @enum {string} */
                    op: "in" | "nin";
                    path: string;
                    value: (string | number | boolean | null)[];
                } | {
                    /** @constant */
                    op: "prefix";
                    path: string;
                    value: string;
                } | {
                    /** @constant */
                    op: "exists";
                    path: string;
                    value?: boolean;
                } | {
                    /** @enum {string} */
                    op: "gt" | "lt";
                    path: string;
                    value: number | string;
                })[];
                /** @enum {string} */
                match: "all" | "any";
            } | null;
            lease_seconds: number;
            max_batch_size: number;
            max_batch_wait_ms: number;
            metadata: {
                [key: string]: string;
            };
            /** @description Time since which events were not queued because the queue was full */
            missed_since: string | null;
            pause_reason: ("owner" | "failures" | "backlog" | "gone" | "key_ended") | null;
            /** @description Pending deliveries */
            pending: number;
            source_did: string;
            /** @enum {string} */
            status: "pending_verification" | "active" | "paused" | "rejected" | "expired" | "cancelled";
            subscription_id: string;
            tier: string | null;
            /** Format: date-time */
            verification_expires_at: string;
        };
        WebhookList: {
            data: components["schemas"]["Webhook"][];
            pagination: components["schemas"]["Pagination"];
            /** @description The same list under its EEP name */
            subscriptions: components["schemas"]["Webhook"][];
        };
        WithdrawalAcknowledgement: {
            /** Format: date-time */
            acknowledged_at: string;
            claim_id: string;
            /** Format: date-time */
            expected_completion_at: string;
            /** @description By a key of /.well-known/jwks.json over the canonical JSON of the other members, base64url */
            publisher_signature: string;
            /** @constant */
            status: "completed";
            withdrawal_id: string;
        };
        WithdrawalClaim: {
            claim_id: string;
            /**
             * @description The service stores no claims, so nothing remains to be withdrawn
             * @constant
             */
            status: "completed";
        };
        Workspace: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description Of the caller
             * @enum {string}
             */
            role: "owner" | "admin" | "editor" | "reader";
            slug: string;
            /** Format: date-time */
            updated_at: string;
        };
        WorkspaceActivityList: {
            data: {
                action: string;
                /** @description Null when the account was erased */
                actor: {
                    id: string;
                    username: string | null;
                } | null;
                /** Format: date-time */
                at: string;
                data: {
                    [key: string]: unknown;
                };
                document_id: string | null;
                id: number;
                /** @description The affected member */
                member: {
                    id: string;
                    username: string | null;
                } | null;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        WorkspaceInvitation: {
            /** Format: date-time */
            created_at: string;
            /** @description Where it was sent, for an invitation by email */
            email: string | null;
            /** Format: date-time */
            expires_at: string;
            id: number;
            /** @description A username */
            invited_by: string;
            /** @enum {string} */
            role: "admin" | "editor" | "reader";
            /** @description The invited account, if the invitation is for an account */
            username: string | null;
            workspace: {
                /** Format: uuid */
                id: string;
                name: string;
            };
        };
        WorkspaceInvitationList: {
            data: components["schemas"]["WorkspaceInvitation"][];
            pagination: components["schemas"]["Pagination"];
        };
        WorkspaceList: {
            data: components["schemas"]["Workspace"][];
            pagination: components["schemas"]["Pagination"];
        };
        WorkspaceMemberList: {
            data: {
                full_name: string | null;
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                joined_at: string;
                /** @enum {string} */
                role: "owner" | "admin" | "editor" | "reader";
                username: string;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
/** What each route takes and returns, by `operationId`. */
export interface operations {
    getStart: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bootstrap"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgentCard: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgentSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAgentSkills: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSkillsIndex"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApiCatalog: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/linkset+json": components["schemas"]["ApiCatalog"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getServiceDidDocument: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/did+json": components["schemas"]["ServiceDidDocument"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getManifest: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Manifest"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgentGuide: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentGuide"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPublicKeys: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jwk-set+json": components["schemas"]["JsonWebKeySet"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWellKnownMcpServerCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServerCard"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOAuthServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthServerMetadata"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOAuthResourceMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthResourceMetadata"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfile: {
        parameters: {
            query?: {
                /** @description The type of the agent: sections for it come first. Default: general */
                agent_type?: "recruiter" | "sales" | "research" | "support" | "general";
                /** @description Required fields, comma-separated: 402 when one of them is gated */
                fields?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: {
                /** @description The type of the agent: sections for it come first. Default: general */
                "x-eep-agent-type"?: "recruiter" | "sales" | "research" | "support" | "general";
            };
            path: {
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileAgentCard: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileBadge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileCard: {
        parameters: {
            query?: {
                v?: string;
            };
            header?: never;
            path: {
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileChangelog: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                limit?: number;
                /** @description Newest first, or oldest first */
                order?: "desc" | "asc";
                /** @description The id of a change or a time; only later changes are returned */
                since?: string;
            };
            header?: never;
            path: {
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changelog"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTableOfContents: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentsDocument"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getContent: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                limit?: number;
            };
            header?: never;
            path: {
                path: string;
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentDocument"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileDidDocument: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/did+json": components["schemas"]["DidDocument"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileFreshness: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Freshness"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPricedOpenApiOfProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The first segment of the public path of a profile; each type of profile has its own */
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricedOpenApi"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConnectedApps: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectedAppList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnectedApps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisconnectedApps"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateConnectedApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectedApp"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnectedApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisconnectedApp"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitNotificationsPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPlanCancellation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPlanChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPlanResumption: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPasskeyDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPasskeysDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPasskeyRename: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: {
                /** @description The checkout page from which the buyer returns; its state is read from the processor */
                checkout_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSubscription"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    cancel_at_period_end?: boolean;
                    /** @enum {string} */
                    tier?: "pro" | "team";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createBillingPortal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingPortal"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description The changed object: `accounts/<id>`, `pricing/pro` */
                target?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuditEntryList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updatePostVisibility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hidden: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HiddenPost"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getServiceHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceHealth"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    confirmRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                receiptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description claimed: the seller reports a refund that no rail has proven yet */
                state?: "claimed" | "refunded";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedRefundList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: "open" | "resolved" | "dismissed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Default: keeps the note; null removes it */
                    note?: string | null;
                    /** @enum {string} */
                    status: "open" | "resolved" | "dismissed";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTierSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllPricing"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateTierSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tier: "community" | "pro" | "team";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    price_eur_monthly_cents?: number;
                    price_usd_monthly_cents?: number;
                    price_usdc_yearly_cents?: number;
                    trial_days?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pricing"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatistics"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                banned?: string;
                cursor?: string;
                /** @description A whole email address */
                email?: string;
                is_admin?: string;
                limit?: number;
                /** @description A part of the email address or the username, or a complete id */
                q?: string;
                tier?: "community" | "pro" | "team";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccountList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccount"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    banned?: boolean;
                    is_admin?: boolean;
                    /**
                     * @description The minimum tier of the account; `community` removes the grant
                     * @enum {string}
                     */
                    tier?: "community" | "pro" | "team";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccount"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateUserPosting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    open: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostingPermission"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetUserSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgentsTxt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description Rounded down to a full interval. Default: 24 hours, 30 days, 12 weeks or 12 months before `to` */
                from?: string;
                /** @description In UTC; weeks begin on Monday */
                interval?: "hour" | "day" | "week" | "month";
                /** @description The metrics to return, separated by commas: views, visitors, clients, challenges, checkouts, payments, revenue, followers, formats, channels, pages, referrers, countries, search_terms, paywalls. Default: all */
                metric?: string;
                /** @description Until before this time, rounded up. Default: now */
                to?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Analytics"];
                    "text/csv": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAnalyticsChart: {
        parameters: {
            query?: {
                /** @description Rounded down to a full interval. Default: 24 hours, 30 days, 12 weeks or 12 months before `to` */
                from?: string;
                /** @description In UTC; weeks begin on Monday */
                interval?: "hour" | "day" | "week" | "month";
                metric?: "views" | "visitors" | "challenges" | "checkouts" | "payments" | "followers";
                /** @description Until before this time, rounded up. Default: now */
                to?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLiveAnalytics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveAnalytics"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description When it expires. Null or absent: never */
                    expires_at?: string | null;
                    name: string;
                    /** @description The only profile it acts for. Null or absent: all profiles */
                    profile_id?: number | null;
                    /** @description Every `read:` scope when left out */
                    scopes?: ("read:profiles" | "write:profiles" | "manage:keys" | "read:connections" | "write:connections" | "read:payments" | "read:gates" | "write:gates" | "read:content" | "write:content" | "read:files" | "commerce:negotiate" | "read:services" | "write:services" | "write:reviews" | "read:feed" | "write:feed" | "read:messages" | "write:messages" | "read:events" | "read:subscriptions" | "write:subscriptions" | "read:notifications" | "write:notifications" | "read:audit" | "read:memory" | "write:memory" | "read:workspaces" | "write:workspaces" | "read:analytics")[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    regenerateApiKey: {
        parameters: {
            query?: {
                /** @description `true` also revokes the keys that were created with the replaced one. Default: false */
                cascade?: "true" | "false";
            };
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getServiceCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEditorScript: {
        parameters: {
            query?: {
                v?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                size: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLiveScript: {
        parameters: {
            query?: {
                v?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPageScript: {
        parameters: {
            query?: {
                v?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReorderScript: {
        parameters: {
            query?: {
                v?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSiteManifest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/manifest+json": components["schemas"]["SiteManifest"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUploadScript: {
        parameters: {
            query?: {
                v?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAuthGuide: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The six digits in the email of `/auth/account/delete-code` */
                    code?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDeletion"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendAccountDeletionCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    /**
                     * @description Also disconnects the apps that were connected in these sessions. Default: false
                     * @default false
                     */
                    disconnect_apps?: boolean;
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @example ada@example.com
                     */
                    new_email: string;
                    /** @description The password of the account. Without it, the last proof must be at most ten minutes old */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    confirmEmailChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token of the link in the email */
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    undoEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token of the link in the email */
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @example ada@example.com
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedIdentityList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityDeleted"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    loginWithCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Six digits of the app, or a recovery code */
                    code: string;
                    /** @description `details.token` of the error `second_factor_required` */
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallerAccount"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The language of emails, one of those of the pages; null for the language of the service */
                    language: ("en" | "de" | "ja" | "ar") | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startOAuth: {
        parameters: {
            query?: {
                /** @description A path of the frontend to go to afterwards; anything else is ignored */
                next?: string;
            };
            header?: never;
            path: {
                /** @description `github`, `google`, `oidc`, or another configured provider */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    finishOAuth: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                error_description?: string;
                state?: string;
            };
            header?: never;
            path: {
                /** @description `github`, `google`, `oidc`, or another configured provider */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example Laptop */
                    name?: string;
                    /** @description The JSON of the created credential: `RegistrationResponseJSON` of WebAuthn */
                    response: {
                        id: string;
                        rawId: string;
                        response: {
                            attestationObject: string;
                            clientDataJSON: string;
                            transports?: string[];
                        };
                        /** @constant */
                        type: "public-key";
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                    /** @description The JSON of the used credential: `AuthenticationResponseJSON` of WebAuthn */
                    response?: {
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        /** @constant */
                        type: "public-key";
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedPasskeys"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                    /** @description The JSON of the used credential: `AuthenticationResponseJSON` of WebAuthn */
                    response?: {
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        /** @constant */
                        type: "public-key";
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedPasskey"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example Laptop */
                    name: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    loginWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The JSON of the used credential: `AuthenticationResponseJSON` of WebAuthn */
                    response: {
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        /** @constant */
                        type: "public-key";
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSignIn"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPasskeySignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    proveOwnerWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The JSON of the used credential: `AuthenticationResponseJSON` of WebAuthn */
                    response: {
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        /** @constant */
                        type: "public-key";
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonProved"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPasskeyOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    password?: string;
                    /** @description The JSON of the used credential: `AuthenticationResponseJSON` of WebAuthn */
                    response?: {
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        /** @constant */
                        type: "public-key";
                    };
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    proveOwner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Six digits of the app, or a recovery code */
                    code?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonProved"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @example ada@example.com
                     */
                    email: string;
                    full_name?: string | null;
                    /** @description 8 to 128 characters with an uppercase letter, a lowercase letter and a number, and not a common one */
                    password: string;
                    /** @example ada-lovelace */
                    username: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    /** @description Also deletes all passkeys and linked sign-in providers of the account, in case another person added one. Default: false */
                    remove_other_sign_ins?: boolean;
                    /** @description The token of the link in the email */
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorKey"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Six digits of the app, or a recovery code */
                    code: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Six digits of the app, or a recovery code */
                    code: string;
                    /** @description The password, for an account that has one */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSessionList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteOtherSessions: {
        parameters: {
            query?: {
                /** @description Also disconnects the apps that were connected in these sessions. Default: false */
                disconnect_apps?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: {
                /** @description Also disconnects the apps that were connected in these sessions. Default: false */
                disconnect_apps?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWalletNonce: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletChallenge"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    linkWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The whole text of the message (EIP-4361), as it was signed */
                    message: string;
                    signature: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallets"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unlinkWallet: {
        parameters: {
            query?: {
                force?: "0" | "1" | "true" | "false";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token of the link in the email */
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailVerification"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    checkUsername: {
        parameters: {
            query: {
                type?: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                username: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsernameAvailability"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSubscriptionCheckout: {
        parameters: {
            query: {
                currency: "usd" | "eur";
                tier: "pro" | "team";
            };
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanCheckout"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createYearlyUsdcOffer: {
        parameters: {
            query: {
                tier: "pro" | "team";
            };
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrepaidYearOffer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    payYearlyUsdc: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    challenge: string;
                    /** @description The DID of a profile of the account, or did:pkh of the wallet that signed */
                    payer_did?: string;
                    payer_network?: string;
                    payer_wallet_address?: string;
                    /** @description PaymentPayload of x402 v2, made of `payment_required` */
                    payment_proof: {
                        /** @constant */
                        x402Version: 2;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    tier: "pro" | "team";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaidYear"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionState"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    followProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unfollowProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFollowers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFollowing: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitFollow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPageReactions: {
        parameters: {
            query?: {
                /** @description Required for resources of an unlisted profile; their addresses contain it */
                key?: string;
            };
            header?: never;
            path: {
                pageId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReactionState"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    togglePageReaction: {
        parameters: {
            query?: {
                /** @description Required for resources of an unlisted profile; their addresses contain it */
                key?: string;
            };
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                pageId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    kind: "like" | "bookmark";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReactionState"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReactionState"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPageReaction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOwnReactions: {
        parameters: {
            query: {
                kind: "like" | "bookmark";
                limit?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnReactionList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    convertFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    file_id: number;
                    /**
                     * @description The format of the result
                     * @default markdown
                     * @enum {string}
                     */
                    to?: "markdown" | "text" | "html" | "json";
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitAccountLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOwnProfiles: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitResendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    withdrawClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                claim_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent_did: string;
                    claim_id: string;
                    /**
                     * Format: date-time
                     * @description At most 60 seconds from the time of the service
                     */
                    issued_at: string;
                    /** @description Valid once */
                    nonce: string;
                    publisher_did?: string;
                    /** @enum {string} */
                    reason: "gdpr_erasure" | "ccpa_deletion" | "purpose_fulfilled" | "revoke_consent" | "operator_instruction" | "other";
                    reason_detail?: string;
                    /** @description By a key of agent_did over the canonical JSON (RFC 8785) of the other members, base64url */
                    signature: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAcknowledgement"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getClaimStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                claim_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalClaim"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCapabilities: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceCapabilities"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPricedResources: {
        parameters: {
            query?: {
                /** @description An extension that the resource has: `bazaar` or `payment-identifier` */
                extensions?: unknown;
                /** @description 1 to 100; 20 without it. Others are clamped */
                limit?: unknown;
                /** @description CAIP-2, or the name of x402 version 1: `eip155:8453`, `base` */
                network?: unknown;
                /** @description 0 to 1,000,000; 0 without it. Others are clamped */
                offset?: unknown;
                /** @description The address that is paid, in any case */
                payTo?: unknown;
                /** @description The seller: its DID, its URL, or `u/ada` */
                profile?: unknown;
                /** @description The scheme; every offer of this catalogue has `exact` */
                scheme?: unknown;
                /** @description The type: `mcp` for tools, else `http` */
                type?: unknown;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricedResources"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReference: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiReference"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAsyncApi: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AsyncApiDocument"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listErrorCodes: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReferenceList"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getErrorCode: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReference"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOperationReference: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                operationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationReference"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPaymentGuide: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentGuide"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEventCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitAgreement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                actor_did?: string;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                event_type?: "gate.proof.submitted" | "gate.proof.accepted" | "gate.proof.rejected" | "gate.payment.verified" | "gate.payment.rejected" | "session.created" | "session.renewed" | "session.revoked" | "session.expired" | "webhook.delivery.attempted" | "webhook.delivery.succeeded" | "webhook.delivery.failed" | "webhook.delivery.abandoned" | "commerce.offer" | "commerce.counter" | "commerce.accepted" | "commerce.invoice" | "commerce.paid" | "commerce.cancelled" | "data.withdrawal.requested" | "data.withdrawal.acknowledged" | "data.withdrawal.completed" | "poi.validated" | "poi.rejected" | "rate_limit.triggered" | "did.revocation.checked";
                /** @description Entries at or after this time */
                from?: string;
                outcome?: "success" | "failure" | "partial" | "pending";
                /** @description Default: 1. Not together with `cursor` */
                page?: number;
                per_page?: number;
                /** @description The id of a profile. Default: the active profile; for administrators, the logs of all profiles */
                profile?: number;
                /** @description By time */
                sort?: "asc" | "desc";
                /** @description Entries before this time */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyAuditLog: {
        parameters: {
            query?: {
                /** @description Where to begin. Default: at the oldest entry */
                from_position?: number;
                /** @description The id of a profile. Default: the active profile */
                profile?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogVerification"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEntityCapabilities: {
        parameters: {
            query?: {
                category?: string;
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
                gate_type?: string;
                limit?: number;
                page?: number;
                query?: string;
            };
            header?: never;
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapabilityQueryResult"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listNegotiations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description Default: both */
                role?: "buyer" | "seller";
                state?: "open" | "countered" | "accepted" | "invoiced" | "paid" | "completed" | "disputed" | "rejected" | "expired";
            };
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NegotiationList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createNegotiation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Another name for `seller_did` */
                    pay_to_did?: string;
                    /** @description Default: the price of the listing */
                    pricing?: {
                        amount?: number;
                        currency: string;
                        maximum_charge?: number;
                        minimum_charge?: number;
                        model: string;
                        /** @enum {string} */
                        period?: "hour" | "day" | "week" | "month" | "year";
                        rate?: number;
                        tiers?: {
                            rate: number;
                            up_to: number | "infinity";
                        }[];
                        unit?: string;
                    };
                    reason?: string;
                    /** @description The profile of this service that sells */
                    seller_did?: string;
                    /** @description The id of a listed service, or a description of another one */
                    service: string;
                    terms?: {
                        /** @enum {string} */
                        cancellation_policy?: "none" | "full_refund" | "partial_refund" | "no_refund";
                        conditions?: string[];
                        /** @enum {string} */
                        delivery?: "realtime" | "async" | "scheduled" | "sse" | "webhook" | "download";
                        /** @description Seconds. Default: seven days */
                        expires_in?: number;
                        sla?: {
                            response_time_ms?: number;
                            support_hours?: string;
                            uptime_percent?: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getNegotiation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NegotiationHistory"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acceptNegotiation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The outcome of a dispute that this move ends
                     * @enum {string}
                     */
                    outcome?: "refunded" | "rejected" | "penalty_applied" | "dismissed";
                    reason?: string;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    completeNegotiation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The outcome of a dispute that this move ends
                     * @enum {string}
                     */
                    outcome?: "refunded" | "rejected" | "penalty_applied" | "dismissed";
                    reason?: string;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    counterNegotiation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Default: unchanged */
                    pricing?: {
                        amount?: number;
                        currency: string;
                        maximum_charge?: number;
                        minimum_charge?: number;
                        model: string;
                        /** @enum {string} */
                        period?: "hour" | "day" | "week" | "month" | "year";
                        rate?: number;
                        tiers?: {
                            rate: number;
                            up_to: number | "infinity";
                        }[];
                        unit?: string;
                    };
                    reason?: string;
                    /** @description Default: unchanged */
                    terms?: {
                        /** @enum {string} */
                        cancellation_policy?: "none" | "full_refund" | "partial_refund" | "no_refund";
                        conditions?: string[];
                        /** @enum {string} */
                        delivery?: "realtime" | "async" | "scheduled" | "sse" | "webhook" | "download";
                        /** @description Seconds. Default: seven days */
                        expires_in?: number;
                        sla?: {
                            response_time_ms?: number;
                            support_hours?: string;
                            uptime_percent?: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    disputeNegotiation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    evidence?: string[];
                    reason_code: string;
                    /** @enum {string} */
                    requested_remedy?: "refund" | "partial_refund" | "redelivery" | "penalty" | "other";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    expireNegotiation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendNegotiationInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: number;
                    currency: string;
                    /** Format: date-time */
                    due_by?: string;
                    invoice_id: string;
                    line_items?: {
                        description: string;
                        quantity?: number;
                        total?: number;
                        unit_price?: number;
                    }[];
                    payment_methods?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendNegotiationReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    invoice_id?: string;
                    /** Format: date-time */
                    paid_at?: string;
                    payment_proof: {
                        provider?: string;
                        token: string;
                        type: string;
                    };
                    /** @description A receipt of this service is verified; another one is stored as claimed */
                    receipt_id: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rejectNegotiation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The outcome of a dispute that this move ends
                     * @enum {string}
                     */
                    outcome?: "refunded" | "rejected" | "penalty_applied" | "dismissed";
                    reason?: string;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEepContent: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `u/ada/content/notes/engines`, or `{did}/content.notes.engines` */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentDocument"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyDelegation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For example gate:payment or subscribe:sse */
                    action?: string;
                    /** @description The agent that presents the delegation */
                    agent_did?: string;
                    amount?: number;
                    /** @description The delegation, a JWT credential (jwt_vc) */
                    credential: string;
                    currency?: string;
                    /** @description The path or URL of the request */
                    endpoint?: string;
                    /** @description The hash of the privacy policy that the publisher knows */
                    policy_hash?: string;
                    requested_claims?: {
                        claim: string;
                        purpose: string;
                        retention_days: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidDelegation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Alias of `types` */
                events?: string;
                limit?: number;
                /** @description The id of an event, or a time: returns only later events. Default: starts at the oldest kept event */
                since?: string;
                /** @description DIDs or `prefix/username`, separated by commas. Default: all */
                source?: string;
                /** @description Types or patterns such as `content.*`, separated by commas. Default: all */
                types?: string;
                /** @description The id of an event, or a time: returns no later events */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventHistory"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypes"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEventSchema: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": components["schemas"]["EventSchema"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getGates: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateConfig"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replaceGates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Saves prices that no configured payment method takes, too. Not stored
                     * @constant
                     */
                    allow?: "unpayable";
                    default_tier: string;
                    /** @enum {string} */
                    fallback_behavior?: "restrict" | "default";
                    tiers: {
                        [key: string]: {
                            access: string[];
                            description?: string;
                            label?: string;
                            metadata?: {
                                [key: string]: unknown;
                            };
                            rate_limit?: {
                                concurrent_connections?: number;
                                requests_per_day?: number;
                                requests_per_hour?: number;
                                requests_per_minute?: number;
                            };
                            requirements: components["schemas"]["GateRequirement"][];
                        };
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedGate"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEndpointGate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                did: string;
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateConfig"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    explainAccess: {
        parameters: {
            query: {
                /** @description The audience of the visitor. Default: unverified */
                as?: "people" | "browsers" | "verified_bots" | "search_engines" | "unverified";
                payer_network?: string;
                payer_wallet?: string;
                resource: string;
            };
            header?: never;
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessExplanation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewCrawlerPrice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What programs pay for. Everyone must be able to read it now, except for closer tiers inside
                     * @default [
                     *       "content.*"
                     *     ]
                     */
                    access?: string[];
                    amount: number;
                    currency: string;
                    /**
                     * @description The audiences that read it for free
                     * @default [
                     *       "people",
                     *       "browsers",
                     *       "search_engines"
                     *     ]
                     */
                    free_for?: string[];
                    /**
                     * @default request
                     * @enum {string}
                     */
                    per?: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatePreset"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent_did: string;
                    /**
                     * @default operator_request
                     * @enum {string}
                     */
                    reason?: "agreement_violation" | "payment_failed" | "operator_request" | "security_incident";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateSessionRevocation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyProof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default [] */
                    proofs?: (({
                        chain?: string;
                        confirmations?: number;
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        provider?: string;
                        tier?: string;
                        token?: string;
                        tx_hash?: string;
                        /** @constant */
                        type: "payment";
                        x402_payload?: {
                            network: string;
                            payload: string;
                            settlement_tx?: string;
                            signature: string;
                        };
                    } | {
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        self_attested: true;
                        /** @constant */
                        type: "trust";
                    } | {
                        evidence?: string;
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        /** @enum {string} */
                        method: "did_verified" | "email_verified" | "domain_verified" | "kyc" | "any";
                        nonce?: string;
                        /** @constant */
                        type: "identity";
                    } | {
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @enum {string} */
                        relation?: "follower" | "following" | "mutual" | "any";
                        subscriber_did: string;
                        /** @constant */
                        type: "connection";
                    } | {
                        credential: string;
                        /** Format: date-time */
                        expires_at?: string;
                        /** @enum {string} */
                        format: "jwt_vc" | "ldp_vc" | "sd_jwt_vc";
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "credential";
                    } | {
                        declared_capabilities: string[];
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "capability";
                    } | {
                        did: string;
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "allowlist";
                    } | {
                        entity_did: string;
                        /** Format: date-time */
                        expires_at?: string;
                        granted_access: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "reciprocal";
                    } | {
                        /** Format: date-time */
                        expires_at?: string;
                        intent_document: {
                            action: string;
                            agent_did: string;
                            /** Format: date-time */
                            created_at: string;
                            intent_id: string;
                            principal_did: string;
                            principal_signature: string;
                            scope: {
                                allowed_resources?: string[];
                                currency?: string;
                                /** Format: date-time */
                                expires_at: string;
                                max_amount?: number;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "proof_of_intent";
                    } | {
                        claimed_fields?: string[];
                        /** @constant */
                        type: "data_request";
                        verifiable_presentation: string;
                    } | {
                        document_hash: string;
                        signature: string;
                        /** @enum {string} */
                        signature_algo?: "EdDSA" | "ES256K";
                        signer_did: string;
                        /** @constant */
                        type: "agreement";
                    }) | ({
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    }))[];
                    resource: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedProof"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listGateVersions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateVersionSummaryList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getGateVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                did: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateVersion"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPaymentChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: number | string;
                    currency: string;
                    /** @description The `key` in the address of a file of an unlisted profile, which is not found without it */
                    link_key?: string;
                    pay_to_did: string;
                    resource: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceChallenge"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReceipts: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                receiptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReceiptPdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                receiptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    refundReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                receiptId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason?: string;
                    /** @description The transfer of the seller, for rails that cannot refund */
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestPurchaseRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description The address that was entered where the purchase was paid
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryRequest"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recoverPurchases: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveredPurchases"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recoverPurchasesOfWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An EIP-4361 message with the nonce, domain and URI */
                    message: string;
                    signature: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveredWalletPurchases"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPurchaseRecoveryNonce: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletRecoveryChallenge"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSales: {
        parameters: {
            query?: {
                cursor?: string;
                from?: string;
                /** @description Sums by day instead of sales, of at most 400 days. Default: the 90 days before `to` */
                group?: "day";
                limit?: number;
                profile_id?: number;
                to?: string;
                /** @description The time zone of the days */
                tz?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SalesOrDays"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportSales: {
        parameters: {
            query: {
                from?: string;
                profile_id: number;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSalesReport: {
        parameters: {
            query?: {
                from?: string;
                profile_id?: number;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SalesSumList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createStripeCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    cancel_url?: string;
                    did: string;
                    /** @description The `key` in the address of a file of an unlisted profile, which is not found without it */
                    link_key?: string;
                    /** @constant */
                    requirement_index?: 0;
                    resource: string;
                    success_url?: string;
                    /** @description The seller gets the email address that the buyer enters on the page. Default: false */
                    tell_seller_email?: boolean;
                    tier?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mppSettle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credential?: string;
                    did: string;
                    /** @description The `key` in the address of a file of an unlisted profile, which is not found without it */
                    link_key?: string;
                    /** @constant */
                    requirement_index?: 0;
                    resource: string;
                    shared_payment_token?: string;
                    tier?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettledCredential"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPaymentOffers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    did: string;
                    /** @description The `key` in the address of a file of an unlisted profile, which is not found without it */
                    link_key?: string;
                    /** @constant */
                    requirement_index?: 0;
                    resource: string;
                    tier?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentOffers"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    payForResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    did?: string;
                    /** @description The `key` in the address of a file of an unlisted profile, which is not found without it */
                    link_key?: string;
                    /** @description As the header PAYMENT-SIGNATURE */
                    payment_signature: string;
                    resource?: string;
                    tier?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettledPayment"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openPulse: {
        parameters: {
            query?: never;
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listServices: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceCatalogue"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    availability?: {
                        /** Format: date-time */
                        next_available?: string;
                        schedule?: {
                            fri?: {
                                end: string;
                                start: string;
                            }[];
                            mon?: {
                                end: string;
                                start: string;
                            }[];
                            sat?: {
                                end: string;
                                start: string;
                            }[];
                            sun?: {
                                end: string;
                                start: string;
                            }[];
                            thu?: {
                                end: string;
                                start: string;
                            }[];
                            tue?: {
                                end: string;
                                start: string;
                            }[];
                            wed?: {
                                end: string;
                                start: string;
                            }[];
                        };
                        slots_remaining?: number;
                        timezone?: string;
                        /** @enum {string} */
                        type?: "always" | "schedule" | "on_demand" | "limited";
                    };
                    /** @description For example consulting, data_feed, api_access, content or training */
                    category: string;
                    /** @enum {string} */
                    delivery: "realtime" | "async" | "scheduled" | "sse" | "webhook" | "download" | "a2a_task";
                    description?: string;
                    gate_requirements?: ({
                        type: string;
                    } & {
                        [key: string]: string | number | boolean;
                    })[];
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    name: string;
                    /** @default false */
                    negotiable?: boolean;
                    pricing: {
                        amount?: number;
                        currency: string;
                        maximum_charge?: number;
                        minimum_charge?: number;
                        model: string;
                        /** @enum {string} */
                        period?: "hour" | "day" | "week" | "month" | "year";
                        rate?: number;
                        tiers?: {
                            rate: number;
                            up_to: number | "infinity";
                        }[];
                        unit?: string;
                    };
                    /**
                     * @default active
                     * @enum {string}
                     */
                    status?: "active" | "paused" | "sold_out" | "coming_soon";
                    tags?: string[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceListing"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replaceService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                did: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    availability?: {
                        /** Format: date-time */
                        next_available?: string;
                        schedule?: {
                            fri?: {
                                end: string;
                                start: string;
                            }[];
                            mon?: {
                                end: string;
                                start: string;
                            }[];
                            sat?: {
                                end: string;
                                start: string;
                            }[];
                            sun?: {
                                end: string;
                                start: string;
                            }[];
                            thu?: {
                                end: string;
                                start: string;
                            }[];
                            tue?: {
                                end: string;
                                start: string;
                            }[];
                            wed?: {
                                end: string;
                                start: string;
                            }[];
                        };
                        slots_remaining?: number;
                        timezone?: string;
                        /** @enum {string} */
                        type?: "always" | "schedule" | "on_demand" | "limited";
                    };
                    /** @description For example consulting, data_feed, api_access, content or training */
                    category: string;
                    /** @enum {string} */
                    delivery: "realtime" | "async" | "scheduled" | "sse" | "webhook" | "download" | "a2a_task";
                    description?: string;
                    gate_requirements?: ({
                        type: string;
                    } & {
                        [key: string]: string | number | boolean;
                    })[];
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    name: string;
                    /** @default false */
                    negotiable?: boolean;
                    pricing: {
                        amount?: number;
                        currency: string;
                        maximum_charge?: number;
                        minimum_charge?: number;
                        model: string;
                        /** @enum {string} */
                        period?: "hour" | "day" | "week" | "month" | "year";
                        rate?: number;
                        tiers?: {
                            rate: number;
                            up_to: number | "infinity";
                        }[];
                        unit?: string;
                    };
                    /**
                     * @default active
                     * @enum {string}
                     */
                    status?: "active" | "paused" | "sold_out" | "coming_soon";
                    tags?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceListing"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                did: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listServiceReviews: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                service_id?: string;
            };
            header?: never;
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createServiceReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                did: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    comment?: string;
                    score: number;
                    service_id: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renewSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewedGateSession"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateSessionRevocation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description For clients that cannot set headers. Prefer `X-API-Key` */
                api_key?: string;
                /** @description Alias of `types` */
                events?: string;
                /** @description The id of the event to continue after */
                last_event_id?: string;
                /** @description Alias of `last_event_id`, which polyfills of EventSource send */
                lastEventId?: string;
                /** @description DIDs or `prefix/username`, separated by commas. Default: all */
                source?: string;
                /** @description Types or patterns such as `content.*`, separated by commas. Default: all */
                types?: string;
            };
            header?: {
                "last-event-id"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Default: cloudevents/v1.0. A renewal keeps what it omits
                     * @enum {string}
                     */
                    delivery_format?: "cloudevents/v1.0" | "cloudevents/v1.0-binary";
                    /** @enum {string} */
                    delivery_method: "webhook" | "sse";
                    /** @description An https URL; required for `webhook` */
                    delivery_url?: string;
                    /** @description Types of events, or patterns: `content.*` */
                    event_types: string[];
                    /** @description Conditions on the envelope; null: none */
                    filter?: {
                        conditions: ({
                            /** @enum {string} */
                            op: "eq" | "ne";
                            path: string;
                            value: string | number | boolean | null;
                        } | {
                            /** @enum {string} */
                            op: "in" | "nin";
                            path: string;
                            value: (string | number | boolean | null)[];
                        } | {
                            /** @constant */
                            op: "prefix";
                            path: string;
                            value: string;
                        } | {
                            /** @constant */
                            op: "exists";
                            path: string;
                            value?: boolean;
                        } | {
                            /** @enum {string} */
                            op: "gt" | "lt";
                            path: string;
                            value: number | string;
                        })[];
                        /** @enum {string} */
                        match: "all" | "any";
                    } | null;
                    /** @description Proofs for the requirements of `tier` */
                    gate_proofs?: (({
                        chain?: string;
                        confirmations?: number;
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        provider?: string;
                        tier?: string;
                        token?: string;
                        tx_hash?: string;
                        /** @constant */
                        type: "payment";
                        x402_payload?: {
                            network: string;
                            payload: string;
                            settlement_tx?: string;
                            signature: string;
                        };
                    } | {
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        self_attested: true;
                        /** @constant */
                        type: "trust";
                    } | {
                        evidence?: string;
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        /** @enum {string} */
                        method: "did_verified" | "email_verified" | "domain_verified" | "kyc" | "any";
                        nonce?: string;
                        /** @constant */
                        type: "identity";
                    } | {
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @enum {string} */
                        relation?: "follower" | "following" | "mutual" | "any";
                        subscriber_did: string;
                        /** @constant */
                        type: "connection";
                    } | {
                        credential: string;
                        /** Format: date-time */
                        expires_at?: string;
                        /** @enum {string} */
                        format: "jwt_vc" | "ldp_vc" | "sd_jwt_vc";
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "credential";
                    } | {
                        declared_capabilities: string[];
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "capability";
                    } | {
                        did: string;
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "allowlist";
                    } | {
                        entity_did: string;
                        /** Format: date-time */
                        expires_at?: string;
                        granted_access: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "reciprocal";
                    } | {
                        /** Format: date-time */
                        expires_at?: string;
                        intent_document: {
                            action: string;
                            agent_did: string;
                            /** Format: date-time */
                            created_at: string;
                            intent_id: string;
                            principal_did: string;
                            principal_signature: string;
                            scope: {
                                allowed_resources?: string[];
                                currency?: string;
                                /** Format: date-time */
                                expires_at: string;
                                max_amount?: number;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        /** @constant */
                        type: "proof_of_intent";
                    } | {
                        claimed_fields?: string[];
                        /** @constant */
                        type: "data_request";
                        verifiable_presentation: string;
                    } | {
                        document_hash: string;
                        signature: string;
                        /** @enum {string} */
                        signature_algo?: "EdDSA" | "ES256K";
                        signer_did: string;
                        /** @constant */
                        type: "agreement";
                    }) | ({
                        /** Format: date-time */
                        expires_at?: string;
                        /** Format: date-time */
                        issued_at?: string;
                        nonce?: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    }))[];
                    /** @description Default: 2592000 */
                    lease_seconds?: number;
                    /** @description Default: 1 */
                    max_batch_size?: number;
                    /** @description Default: 0 */
                    max_batch_wait_ms?: number;
                    /** @description Default: none */
                    metadata?: {
                        [key: string]: string;
                    };
                    /** @description The profile whose events are delivered; the DID of the service for events of your account */
                    source_did: string;
                    /** @description A tier of the gate of the source, which the subscriber must have. Events contain no gated content */
                    tier?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookAtOldAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookHealth"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelWebhookAtOldAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookHealth"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAttemptList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pauseWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    redeliverWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    event_ids: string[];
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redelivery"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    since: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookSecret"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestDelivery"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTrustStatus: {
        parameters: {
            query?: {
                agent_did?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustStatus"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    graduateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default
                     * @example did:web:agent.example
                     */
                    agent_did?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentGraduation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitEmailChangePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitEmailUndoPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listExports: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description Default: the exports of all profiles and of the account */
                profile_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedExportList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Exports the account of the caller with all profiles that it owns, instead of one profile
                     * @constant
                     */
                    account?: true;
                    /**
                     * @description `zip` has everything; `json` is one JSON object without the bytes of files
                     * @default zip
                     * @enum {string}
                     */
                    format?: "zip" | "json";
                    profile_id?: number;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadExport: {
        parameters: {
            query: {
                expires: number;
                signature: string;
            };
            header?: never;
            path: {
                blob: string;
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportedData"];
                    "application/zip": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "application/zip": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFavicon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/x-icon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPosts: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": components["schemas"]["JsonFeed"];
                    "application/json": components["schemas"]["PostList"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Ids of files of the acting profile, in the order in which they are shown */
                    attachments?: number[];
                    /** @description At most 500 characters (grapheme clusters), of at most 64 code points each, in at most 32768 bytes of UTF-8. Blank only with attachments */
                    body: string;
                    /** @description The id of the post that this one replies to */
                    reply_to?: number | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    likePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @constant */
                    kind?: "like";
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikeState"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikeState"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unlikePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikeState"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reportPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnReport"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnReport"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProfilePosts: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                limit?: number;
            };
            header?: never;
            path: {
                prefix: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": components["schemas"]["JsonFeed"];
                    "application/json": components["schemas"]["PostList"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFollowingPosts: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                limit?: number;
            };
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": components["schemas"]["JsonFeed"];
                    "application/json": components["schemas"]["PostList"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listHashtagPosts: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                limit?: number;
            };
            header?: never;
            path: {
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": components["schemas"]["JsonFeed"];
                    "application/json": components["schemas"]["PostList"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPostLike: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPost: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": components["schemas"]["JsonFeed"];
                    "application/json": components["schemas"]["Post"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReplies: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                limit?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": components["schemas"]["JsonFeed"];
                    "application/json": components["schemas"]["PostList"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description Once, or several times for several files
                     */
                    file: string;
                    /**
                     * @description Required when several profiles have the username
                     * @enum {string}
                     */
                    profile_type?: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                    /**
                     * @description The profile that gets the file
                     * @example ada-lovelace
                     */
                    username: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedFile"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFileContent: {
        parameters: {
            query?: {
                /** @description Required for resources of an unlisted profile; their addresses contain it */
                key?: string;
            };
            header?: never;
            path: {
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: {
                /** @description Required for resources of an unlisted profile; their addresses contain it */
                key?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLargeImage: {
        parameters: {
            query?: {
                /** @description Required for resources of an unlisted profile; their addresses contain it */
                key?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFileText: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                /** @description Required for resources of an unlisted profile; their addresses contain it */
                key?: string;
                /** @description Wins over `format` */
                to?: "markdown" | "text" | "html" | "json";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtractedText"];
                    "text/markdown": string;
                    "text/plain": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSmallImage: {
        parameters: {
            query?: {
                /** @description Required for resources of an unlisted profile; their addresses contain it */
                key?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                prefix: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitForgotPasswordPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    importProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description True reports what would be imported, and changes nothing */
                    dry_run?: string;
                    /**
                     * Format: binary
                     * @description An export in the format `zip`
                     */
                    file: string;
                    /** @description True keeps the archive of a dry run for 12 hours; `POST /import/{jobId}` imports it */
                    keep?: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    importCheckedArchive: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgentInsights: {
        parameters: {
            query: {
                /** @description Within the time for which hourly figures are kept, by default 90 days. Default: 30 days before `to` */
                from?: string;
                profile_id: number;
                /** @description Until before this time. Default: now */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Insight"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                cursor?: string;
                kind?: string;
                limit?: number;
                status?: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLlmsFullTxt: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLlmsTxt: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitLoginPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitLoginCodePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitLogoutPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCategories: {
        parameters: {
            query: {
                profile_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryTreeList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    icon?: string | null;
                    name: string;
                    parent_id?: number | null;
                    position?: number;
                    profile_id: number;
                    slug?: string;
                    /**
                     * @default public
                     * @enum {string}
                     */
                    visibility?: "public" | "private";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    icon?: string | null;
                    name?: string;
                    parent_id?: number | null;
                    position?: number;
                    slug?: string;
                    /** @enum {string} */
                    visibility?: "public" | "private";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteCategory: {
        parameters: {
            query?: {
                cascade?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query: {
                cursor?: string;
                limit?: number;
                profile_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSalesList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDefaultCategories: {
        parameters: {
            query: {
                profile_type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategorySuggestionList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEntitlements: {
        parameters: {
            query: {
                /** @description true omits expired and revoked entitlements */
                active?: "true" | "false";
                cursor?: string;
                limit?: number;
                payer_wallet?: string;
                profile_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntitlementList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    grantEntitlement: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An account by id, username or email */
                    account?: string;
                    /**
                     * Format: email
                     * @description For the account that has verified this address, or verifies it later
                     */
                    email?: string;
                    payer_did?: string;
                    /** @description CAIP-2, or an alias like base */
                    payer_network?: string;
                    payer_wallet?: string;
                    profile_id: number;
                    reason?: string;
                    tier: string;
                    /** @description Default: no expiry */
                    valid_until?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantedEntitlements"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeEntitlement: {
        parameters: {
            query?: {
                reason?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entitlement"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listManagedFiles: {
        parameters: {
            query: {
                cursor?: string;
                limit?: number;
                profile_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteManagedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateManagedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What an image shows, for readers who do not see it; null or empty for none */
                    alt?: string | null;
                    /** @description It promises the type that the file has: `photo.jpg` does not become `photo.pdf` */
                    filename?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replaceFileContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description One file
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPages: {
        parameters: {
            query: {
                /** @description A category, or `top` for the pages in none */
                category_id?: "top" | number;
                cursor?: string;
                limit?: number;
                profile_id: number;
                status?: "draft" | "published" | "archived";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageSummaryList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    body: string;
                    category_id?: number | null;
                    /** @description An image of the profile, `/files/7`. Everyone sees it where the page is listed, also when its text is gated */
                    cover_url?: string | null;
                    excerpt?: string | null;
                    position?: number;
                    profile_id: number;
                    slug?: string;
                    /**
                     * @default draft
                     * @enum {string}
                     */
                    status?: "draft" | "published";
                    title: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updatePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Joins this save with the last automatic one of the same author within five minutes. Default: false */
                    autosave?: boolean;
                    body?: string;
                    category_id?: number | null;
                    /** @description An image of the profile, `/files/7`. Everyone sees it where the page is listed, also when its text is gated */
                    cover_url?: string | null;
                    excerpt?: string | null;
                    position?: number;
                    /** @description When to publish a page that is a draft, at most a year ahead; null cancels it. Alone it makes no version */
                    publish_at?: string | null;
                    slug?: string;
                    /** @enum {string} */
                    status?: "draft" | "published" | "archived";
                    title?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPageDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageDraft"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    savePageDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The version of the page that the draft changes. Default: unchanged; of a new draft the current version */
                    base_version?: number;
                    body?: string;
                    /** @description An image of the profile, `/files/7`. Everyone sees it where the page is listed, also when its text is gated */
                    cover_url?: string | null;
                    excerpt?: string | null;
                    /** @description Null cancels the scheduled publication */
                    publish_at?: null;
                    title?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageDraft"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePageDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    publishPageDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When to publish it, at most a year ahead. Default: now
                     */
                    publish_at?: string;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageDraft"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPreviewLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewLinkList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPreviewLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedPreviewLink"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePreviewLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                linkId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPageVersions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageVersionSummaryList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPageVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageVersion"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    comparePageVersions: {
        parameters: {
            query?: {
                from?: number;
            };
            header?: never;
            path: {
                id: number;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageDiff"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restorePageVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    account_wallet_id: string;
                    /** @description Default: the asset of the rail on this network */
                    asset?: string;
                    /**
                     * @description CAIP-2, or `base` or `base-sepolia`
                     * @example eip155:8453
                     */
                    network: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    undoPayoutChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From the email about the change */
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewText: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    body: string;
                    profile_id: number;
                    /** @description The title of the page. A first heading with the same text is left out, as on the page. Default: none */
                    title?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextPreview"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPrice: {
        parameters: {
            query: {
                profile_id: number;
            };
            header?: never;
            path: {
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePrice"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setPrice: {
        parameters: {
            query: {
                profile_id: number;
            };
            header?: never;
            path: {
                resource: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Saves a price that no payment method takes, too
                     * @constant
                     */
                    allow?: "unpayable";
                    amount: number;
                    currency: string;
                    /** @description The name of the tier. Default: it is kept */
                    label?: string;
                    /** @enum {string} */
                    per: "request" | "hour" | "day" | "week" | "month" | "year" | "once";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePrice"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePrice: {
        parameters: {
            query: {
                profile_id: number;
            };
            header?: never;
            path: {
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePrice"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getActiveProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateActiveProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileApps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileApps"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setProfileApps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description With `owner_only`, connected apps of other members of its team do not reach the profile
                     * @enum {string}
                     */
                    apps: "allowed" | "owner_only";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileApps"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reorderContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: number[];
                    /** @enum {string} */
                    kind: "pages" | "categories";
                    /** @description A category, or null for the top level. Default: the place of the first id */
                    parent_id?: number | null;
                    /** @description The ids in the order that you have seen; another one is 412, so that no order is lost */
                    previous_ids?: number[];
                    profile_id?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewSlug: {
        parameters: {
            query: {
                title: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestedSlug"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendMcpMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpMessage"];
                    "text/event-stream": string;
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endMcpSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendMcpMessageOfAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpMessage"];
                    "text/event-stream": string;
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getServerCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/mcp-server-card+json": components["schemas"]["McpServerCard"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    transcribeMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    file_id: number;
                    /** @description The spoken language, as BCP 47. Default: detected */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMedia: {
        parameters: {
            query?: {
                /** @description Required for resources of an unlisted profile; their addresses contain it */
                key?: string;
            };
            header?: never;
            path: {
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTranscript: {
        parameters: {
            query?: {
                /** @description Required for resources of an unlisted profile; their addresses contain it */
                key?: string;
            };
            header?: never;
            path: {
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                    "text/markdown": string;
                    "text/vtt": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMemorySessions: {
        parameters: {
            query: {
                cursor?: string;
                limit?: number;
                profile_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySessionList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createMemorySession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The agent of the session. Default: the agent that signed the request, else none */
                    agent_did?: string;
                    name?: string;
                    /** @description The profile that the agent acts for */
                    profile_id: number;
                    /** @description When the session expires */
                    ttl_seconds: number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySession"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMemorySession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySession"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMemorySession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMemoryEntries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryEntryList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addMemoryEntries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At most 32 KB */
                    content: string;
                    /** @default 0.5 */
                    importance?: number;
                    /** @description At most 4 KB */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    role: "user" | "assistant" | "system" | "tool";
                } | {
                    entries: {
                        /** @description At most 32 KB */
                        content: string;
                        /** @default 0.5 */
                        importance?: number;
                        /** @description At most 4 KB */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        role: "user" | "assistant" | "system" | "tool";
                    }[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedMemoryEntries"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMemoryEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entryId: number;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateMemoryEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entryId: number;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    content?: string;
                    importance?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    role?: "user" | "assistant" | "system" | "tool";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryEntry"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recallMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    query: string;
                    token_budget: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecalledMemory"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 10 */
                    limit?: number;
                    /** @default 0 */
                    min_score?: number;
                    /**
                     * @description Default: hybrid with an embedder, else keyword
                     * @enum {string}
                     */
                    mode?: "keyword" | "semantic" | "hybrid";
                    query: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySearchResults"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    summarizeMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 200 */
                    max_words?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemorySummary"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitBlock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Whether to list only those in which the acting profile blocks the other one */
                blocked?: "true" | "false";
                cursor?: string;
                /** @description Takes precedence over Accept. Default: JSON */
                format?: "json" | "markdown";
                limit?: number;
            };
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationList"];
                    "text/markdown": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    body: string;
                    /** @description Chosen by the client. A repeated client_id of a sender returns the earlier message */
                    client_id?: string;
                    /** @description The address of a profile, `u/ada`, or its id */
                    to: string | number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentMessage"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    blockParticipant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unblockParticipant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                after_seq?: number;
                cursor?: string;
                /** @description Takes precedence over Accept. Default: JSON */
                format?: "json" | "markdown";
                limit?: number;
                /** @description Default: newest first */
                order?: "asc" | "desc";
            };
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                    "text/markdown": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    body: string;
                    /** @description Chosen by the client. A repeated client_id of a sender returns the earlier message */
                    client_id?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    markConversationRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The id of the last message that was read
                     */
                    up_to: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reportConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description A message of the other profile. Default: reports the conversation
                     */
                    message_id?: string;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnReport"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnReport"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitNewMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query: {
                cursor?: string;
                limit?: number;
                /** @description The active profile */
                profile_id: number;
                /** @description Whether to list only unread notifications */
                unread?: "true" | "false";
            };
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Other kinds keep their preferences */
                    preferences: {
                        /** @description Absent or null: the default of the kind */
                        email?: ("off" | "immediately" | "daily") | null;
                        /** @description Whether it is listed and sent on streams */
                        in_app: boolean;
                        kind: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    markNotificationsRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: string[];
                } | {
                    /** @constant */
                    all: true;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadNotifications"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unsubscribeFromEmails: {
        parameters: {
            query: {
                /** @description The token in the unsubscribe link of an email */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailUnsubscription"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createOAuthDeviceCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["OAuthDeviceRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthDeviceCodes"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    registerOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OAuthRegistrationRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthRegistration"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeOAuthToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["OAuthRevocation"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedToken"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createOAuthTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["OAuthTokenRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthTokens"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPricedOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricedOpenApi"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenSearchDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/opensearchdescription+xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPayoutUndoPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    /** @constant */
                    profile_type: "person";
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    type_data?: {
                        availability?: string;
                        headline?: string;
                        languages?: string[];
                        location?: string;
                    };
                    /** @example ada-lovelace */
                    username: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                } | {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    /** @constant */
                    profile_type: "organization";
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    type_data?: {
                        founded?: number | string;
                        headquarters?: string;
                        industry?: string;
                        legal_name?: string;
                        size?: number | string;
                    };
                    /** @example ada-lovelace */
                    username: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                } | {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    /** @constant */
                    profile_type: "place";
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    type_data?: {
                        address?: {
                            [key: string]: string;
                        };
                        geo?: {
                            lat: number;
                            lng: number;
                        };
                        opening_hours?: string[];
                    };
                    /** @example ada-lovelace */
                    username: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                } | {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    /** @constant */
                    profile_type: "asset";
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    type_data?: {
                        category?: string;
                        condition?: string;
                        identifier?: string;
                        value?: {
                            amount: number | string;
                            currency: string;
                        };
                    };
                    /** @example ada-lovelace */
                    username: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                } | {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    /** @constant */
                    profile_type: "product";
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    type_data?: {
                        availability?: string;
                        brand?: string;
                        price?: {
                            amount: number | string;
                            currency: string;
                        };
                        sku?: string;
                    };
                    /** @example ada-lovelace */
                    username: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                } | {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    /** @constant */
                    profile_type: "knowledge";
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    type_data?: {
                        abstract?: string;
                        authors?: string[];
                        license?: string;
                        subject?: string;
                    };
                    /** @example ada-lovelace */
                    username: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                } | {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    /** @constant */
                    profile_type: "agent";
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    type_data?: {
                        endpoint?: string;
                        model?: string;
                        operator_did?: string;
                        protocols?: string[];
                        provider?: string;
                        registrations?: {
                            agentId: number;
                            agentRegistry: string;
                        }[];
                    };
                    /** @example ada-lovelace */
                    username: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                } | {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    /** @constant */
                    profile_type: "event";
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    type_data?: {
                        ends_at?: string;
                        online_url?: string;
                        starts_at?: string;
                        timezone?: string;
                        venue?: string;
                    };
                    /** @example ada-lovelace */
                    username: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                } | {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    full_name?: string | null;
                    keywords?: string[];
                    /** @constant */
                    profile_type: "custom";
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    type_data?: {
                        fields?: {
                            [key: string]: unknown;
                        };
                        schema_url?: string;
                    };
                    /** @example ada-lovelace */
                    username: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedProfile"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileCapabilities"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replaceProfileCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    capabilities: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileCapabilities"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileCompletion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileCompletion"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSmartSections: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmartSections"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replaceSmartSections: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    sections: {
                        /**
                         * @description The types of agents that it is for; general is every agent
                         * @default [
                         *       "general"
                         *     ]
                         */
                        agent_types?: ("recruiter" | "sales" | "research" | "support" | "general")[];
                        body: string;
                        key: string;
                        /** @description Ascending order. Default: its index in the list */
                        position?: number;
                        title: string;
                        /**
                         * @description team: only the team of the profile sees it
                         * @default public
                         * @enum {string}
                         */
                        visibility?: "public" | "team";
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmartSections"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTeam: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                memberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "admin" | "editor" | "viewer";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTeamInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @example ada@example.com
                     */
                    email?: string;
                    /** @enum {string} */
                    role: "admin" | "editor" | "viewer";
                    /** @example ada-lovelace */
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamInvitation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteTeamInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                inviteId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example ada-lovelace */
                    recipient_username: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileVisibility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileVisibility"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateProfileVisibility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    visibility: "public" | "unlisted" | "private";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileVisibility"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileRecord: {
        parameters: {
            query?: {
                /** @description The type of the agent: sections for it come first. Default: general */
                agent_type?: "recruiter" | "sales" | "research" | "support" | "general";
                /** @description Required fields, comma-separated: 402 when one of them is gated */
                fields?: string;
            };
            header?: {
                /** @description The type of the agent: sections for it come first. Default: general */
                "x-eep-agent-type"?: "recruiter" | "sales" | "research" | "support" | "general";
            };
            path: {
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The color of links and buttons. Pages make it darker or lighter until text in it can be read */
                    accent?: string | null;
                    agent_instructions?: string | null;
                    agent_rules?: string | null;
                    avatar_url?: string | null;
                    bio?: string | null;
                    capabilities?: ("contactable" | "bookable" | "purchasable" | "hireable" | "streamable" | "verifiable" | "agent_compatible")[];
                    /** @description A wide picture above the profile */
                    cover_url?: string | null;
                    /** @description Replaces all custom fields */
                    custom_fields?: {
                        [key: string]: unknown;
                    };
                    email?: string | null;
                    files_to_delete?: number[];
                    full_name?: string | null;
                    keywords?: string[];
                    skills?: string[];
                    socials?: {
                        [key: string]: (string & (unknown & unknown)) | string;
                    };
                    /** @description Members as defined by the schema of the type (`/schemas/profiles`): given members replace the stored ones, null removes a member, all others are kept */
                    type_data?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description A new username; the former one redirects for 30 days
                     * @example ada-lovelace
                     */
                    username?: string;
                    /** @enum {string} */
                    visibility?: "public" | "unlisted" | "private";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPurchases: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description The step before, for the notice of the page */
                done?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitPurchasesPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPurchaseReceiptPdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                receiptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitRegisterPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitResetPasswordPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resolveDid: {
        parameters: {
            query?: {
                did?: string;
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/did-resolution": components["schemas"]["DidResolution"];
                    "application/json": components["schemas"]["DidResolution"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRobotsTxt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitSandboxCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                checkoutId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The button that was pressed
                     * @enum {string}
                     */
                    answer: "pay" | "decline" | "unknown" | "cancel";
                    /** @description For the receipt */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    moveSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    fillSandboxWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The wallet to fill */
                    address: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxWallet"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    decideSandboxPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    continueAsSandboxPerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeSandboxPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSandboxToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The most that the token pays, in the smallest unit of the currency */
                    amount: string;
                    /** @enum {string} */
                    currency: "usd" | "eur" | "gbp" | "chf" | "cad" | "aud" | "nzd" | "sgd" | "dkk" | "nok" | "sek" | "pln" | "jpy";
                    /** @description In seconds since 1970, at most an hour from now */
                    expiresAt: number;
                    metadata?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description As the challenge has it
                     * @constant
                     */
                    networkId: "sandbox";
                    /**
                     * @description What becomes of a payment with the token
                     * @enum {string}
                     */
                    paymentMethod: "pm_sandbox_ok" | "pm_sandbox_declined" | "pm_sandbox_unknown";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxToken"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTestWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWallet"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openTestWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxWallet"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    refundSandboxSale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTestWalletScript: {
        parameters: {
            query?: {
                v?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signTestMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWalletSignature"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signTestTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description EIP-712 in JSON, as wallets get it with `eth_signTypedData_v4` */
                    typed_data: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWalletSignature"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    scanSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The page to scan, with https. Checks of the host use its root */
                    url: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSiteScan: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteScan"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSiteScanBadge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSiteRules: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteRuleList"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProfileSchemas: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileSchemaList"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileSchema: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                type: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": components["schemas"]["ProfileSchema"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description `strong` waits up to 2 seconds until earlier changes are indexed */
                consistency?: "strong";
                cursor?: string;
                /** @description Facets to count over the best 200 hits: profile_type, kind, tag, separated by commas */
                facets?: string;
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
                /** @description `mine` also searches gated texts that the caller may read */
                gated?: "mine";
                limit?: number;
                /** @description `hybrid` falls back to `keyword` when the service has no semantic search */
                mode?: "keyword" | "semantic" | "hybrid";
                profile_type?: "person" | "organization" | "place" | "asset" | "product" | "knowledge" | "agent" | "event" | "custom";
                /** @description Words, "a phrase", -excluded, one OR other, author:u/ada, type:page, tag:engines, updated:>2026-01-01. The page without it has a search box */
                q: string;
                scope?: "all" | "feed" | "profiles" | "pages";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    suggestSearch: {
        parameters: {
            query: {
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchSuggestions"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPagesSitemap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                part: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfilesSitemap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                part: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSiteSitemap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSitemap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamPublicEvents: {
        parameters: {
            query?: {
                /** @description Alias of `types` */
                events?: string;
                /** @description The id of the event to continue after */
                last_event_id?: string;
                /** @description Alias of `last_event_id`, which polyfills of EventSource send */
                lastEventId?: string;
                /** @description DIDs or `prefix/username`, separated by commas. Default: all */
                source?: string;
                /** @description Types or patterns such as `content.*`, separated by commas. Default: all */
                types?: string;
            };
            header?: {
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamFollowedEvents: {
        parameters: {
            query?: {
                /** @description For clients that cannot set headers. Prefer `X-API-Key` */
                api_key?: string;
                /** @description Alias of `types` */
                events?: string;
                /** @description The id of the event to continue after */
                last_event_id?: string;
                /** @description Alias of `last_event_id`, which polyfills of EventSource send */
                lastEventId?: string;
                /** @description DIDs or `prefix/username`, separated by commas. Default: all */
                source?: string;
                /** @description Types or patterns such as `content.*`, separated by commas. Default: all */
                types?: string;
            };
            header?: {
                "last-event-id"?: string;
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    receiveStripeSubscriptionWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedWebhook"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitTeamInvitationPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTeamInvites: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamInvitationList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acceptTeamInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The token of the link in the email, or the id of an invitation for the caller */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMembership"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rejectTeamInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The token of the link in the email, or the id of an invitation for the caller */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTiers: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: json */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tiers"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTransfers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acceptTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rejectTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfileTrust: {
        parameters: {
            query?: {
                /** @description Takes precedence over Accept. Default without both: markdown */
                format?: "markdown" | "json" | "toon";
            };
            header?: never;
            path: {
                prefix: "u" | "o" | "l" | "a" | "p" | "k" | "agent" | "e" | "x";
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trust"];
                    "text/markdown": string;
                    "text/toon": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitVerifyPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name: string;
                    /** @description Unique among the workspaces of its creator. Default: derived from the name */
                    slug?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name?: string;
                    slug?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkspaceActivity: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceActivityList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description Only documents directly below this one; `top` for the top level. Default: all */
                parent_id?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentSummaryList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    body?: string;
                    /** @description The document above it; null for the top level */
                    parent_id?: string | null;
                    /** @description Siblings with this position or a higher one move after it. Default: after all siblings */
                    position?: number;
                    title: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                docId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedDocument"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                docId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Joins this save with the last automatic one of the same author within five minutes. Default: false */
                    autosave?: boolean;
                    body?: string;
                    /** @description The document above it; null for the top level */
                    parent_id?: string | null;
                    /** @description Siblings with this position or a higher one move after it */
                    position?: number;
                    title?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query?: {
                cascade?: string;
            };
            header?: never;
            path: {
                docId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDocumentComments: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                docId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentCommentList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDocumentComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                docId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    body: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentComment"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDocumentComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                commentId: number;
                docId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    publishDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                docId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null for the top level. Default: where the page is; a new page is at the top level */
                    category_id?: number | null;
                    profile_id: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Publication"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDocumentVersions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                docId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVersionSummaryList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDocumentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                docId: string;
                id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVersion"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    compareDocumentVersions: {
        parameters: {
            query?: {
                from?: number;
            };
            header?: never;
            path: {
                docId: string;
                id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDiff"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                docId: string;
                id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkspaceInvites: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceInvitationList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWorkspaceInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @example ada@example.com
                     */
                    email?: string;
                    /** @enum {string} */
                    role: "admin" | "editor" | "reader";
                    /** @example ada-lovelace */
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceInvitation"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWorkspaceInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                inviteId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkspaceMembers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMemberList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWorkspaceMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                memberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "owner" | "admin" | "editor" | "reader";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeWorkspaceMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchWorkspace: {
        parameters: {
            query: {
                /** @description `strong` waits up to 2 seconds until earlier changes are indexed */
                consistency?: "strong";
                cursor?: string;
                limit?: number;
                /** @description `hybrid` falls back to `keyword` when the service has no semantic search */
                mode?: "keyword" | "semantic" | "hybrid";
                /** @description Words, "a phrase", -excluded, one OR other, updated:>2026-01-01 */
                q: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentSearchResults"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitWorkspaceInvitationPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMyWorkspaceInvites: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceInvitationList"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acceptWorkspaceInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The token of the link in the email, or the id of an invitation for the caller */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rejectWorkspaceInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request idempotent: repeating it with the same key returns the stored response instead of processing it again */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The token of the link in the email, or the id of an invitation for the caller */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openMessages: {
        parameters: {
            query?: {
                /** @description The `event_id` of the last received frame */
                last_event_id?: string;
            };
            header?: {
                /** @description The acting profile */
                "x-active-profile-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
