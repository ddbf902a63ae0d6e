-- Two roles for one database, so that the web application cannot change the tables that it writes to:
--
--   assay_owner  owns the tables and migrates them        (ASSAY_MIGRATION_DATABASE_URL)
--   assay        reads and writes rows, and nothing else  (DATABASE_URL)
--
-- Run it with psql as a superuser, in the database of Assay:
--
--   ASSAY_OWNER_PASSWORD=... ASSAY_PASSWORD=... psql --dbname assay --file postgresql-roles.sql
--
-- It can be run again at any time. A password that is not given stays as it is. If `assay` owns the tables of an earlier
-- installation, they get their new owner. Other names: -v owner=NAME -v application=NAME.

\set ON_ERROR_STOP on
\if :{?owner} \else \set owner assay_owner \endif
\if :{?application} \else \set application assay \endif
\getenv owner_password ASSAY_OWNER_PASSWORD
\getenv application_password ASSAY_PASSWORD

BEGIN;
SET LOCAL log_statement = 'none';  -- the server's log must not contain the passwords

SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY[:'owner', :'application']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
-- CREATEDB: `assay rehearse_restore` tries an archive in a database of its own.
ALTER ROLE :"owner" LOGIN NOSUPERUSER CREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE :"application" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
\if :{?owner_password}
ALTER ROLE :"owner" PASSWORD :'owner_password';
\endif
\if :{?application_password}
ALTER ROLE :"application" PASSWORD :'application_password';
\endif

-- The application's role must neither own anything nor be able to become the owner.
REASSIGN OWNED BY :"application" TO :"owner";
SELECT format('REVOKE %I FROM %I', granted.rolname, member.rolname)
FROM pg_auth_members
JOIN pg_roles AS granted ON granted.oid = roleid
JOIN pg_roles AS member ON member.oid = pg_auth_members.member
WHERE member.rolname = :'application' \gexec

SELECT format('ALTER DATABASE %I OWNER TO %I', current_database(), :'owner') \gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC, %I', current_database(), :'application') \gexec
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), :'application') \gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC, :"application";
GRANT ALL ON SCHEMA public TO :"owner";
GRANT USAGE ON SCHEMA public TO :"application";

-- Tables that exist already, and those that the owner will create.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, :"application";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"application";
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO :"application";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"application";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO :"application";

COMMIT;
