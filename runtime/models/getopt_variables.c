// The variables of <getopt.h>.

char* optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';
