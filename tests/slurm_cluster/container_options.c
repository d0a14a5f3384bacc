// A SPANK plug-in that accepts the options of pyxis, so that jobs with containers can be submitted to a cluster that
// has none: the command runs on the node itself and finds what was asked for in its environment, as
// CONTAINER_OPTION_IMAGE, CONTAINER_OPTION_MOUNTS and so on.

#include <ctype.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SPANK_PLUGIN(container_options, 1)

#define TAKES_VALUE(name, number) \
  { (char*)(name), (char*)"VALUE", (char*)"accepted and ignored", 1, (number), note }
#define IS_FLAG(name, number) \
  { (char*)(name), NULL, (char*)"accepted and ignored", 0, (number), note }

enum { option_count = 15 };
static char* asked[option_count];

static int note(int number, const char* value, int remote) {
  (void)remote;
  if (number < 0 || number >= option_count) return -1;
  free(asked[number]);
  asked[number] = strdup(value != NULL ? value : "");
  return asked[number] != NULL ? 0 : -1;
}

// Registered below: a table with the name that Slurm looks for would be seen by srun alone, not by sbatch.
static struct spank_option options[] = {
    TAKES_VALUE("container-image", 0),       TAKES_VALUE("container-mounts", 1),
    TAKES_VALUE("container-workdir", 2),     TAKES_VALUE("container-name", 3),
    TAKES_VALUE("container-save", 4),        TAKES_VALUE("container-env", 5),
    IS_FLAG("container-mount-home", 6),      IS_FLAG("no-container-mount-home", 7),
    IS_FLAG("container-remap-root", 8),      IS_FLAG("no-container-remap-root", 9),
    IS_FLAG("container-entrypoint", 10),     IS_FLAG("no-container-entrypoint", 11),
    IS_FLAG("container-entrypoint-log", 12), IS_FLAG("container-writable", 13),
    IS_FLAG("container-readonly", 14),
};

int slurm_spank_init(spank_t spank, int count, char** arguments) {
  (void)count;
  (void)arguments;
  for (size_t i = 0; i < option_count; ++i) {
    const spank_err_t error = spank_option_register(spank, &options[i]);
    if (error != ESPANK_SUCCESS) {
      slurm_error("cannot register --%s: %s", options[i].name, spank_strerror(error));
      return -1;
    }
  }
  return 0;
}

// "container-image" and "no-container-mount-home" to CONTAINER_OPTION_IMAGE and CONTAINER_OPTION_NO_MOUNT_HOME.
static void name_variable(const char* option, char* variable, size_t size) {
  const int negated = strncmp(option, "no-", 3) == 0;
  const char* rest = option + (negated ? 3 : 0) + strlen("container-");
  snprintf(variable, size, "CONTAINER_OPTION_%s%s", negated ? "NO_" : "", rest);
  for (char* c = variable; *c != '\0'; ++c) {
    *c = (char)toupper((unsigned char)*c);
    if (*c == '-') *c = '_';
  }
}

int slurm_spank_task_init(spank_t spank, int count, char** arguments) {
  (void)count;
  (void)arguments;
  if (!spank_remote(spank)) return 0;
  for (size_t i = 0; i < option_count; ++i) {
    if (asked[i] == NULL) continue;
    char variable[64];
    name_variable(options[i].name, variable, sizeof variable);
    if (spank_setenv(spank, variable, asked[i], 1) != ESPANK_SUCCESS) return -1;
  }
  return 0;
}
